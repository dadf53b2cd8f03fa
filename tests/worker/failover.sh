#!/bin/sh
exec sh tests/postgres/with_server python3 tests/worker/failover.py "$1"
