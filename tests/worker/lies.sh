#!/bin/sh
# What a worker that is wrong, or lies, may bring: each game that lists could not read is refused.
exec sh tests/postgres/with_server python3 tests/worker/lies.py "$1"
