#!/bin/sh
# What workers do when something around them fails: seasons that close, full disks, lost rights, servers
# that are away or stand still.
exec sh tests/postgres/with_server python3 tests/worker/faults.py "$@"
