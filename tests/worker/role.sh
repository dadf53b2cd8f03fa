#!/bin/sh
# What the workers' role in PostgreSQL may not do: a table of statements, each refused.
exec sh tests/postgres/with_server python3 tests/worker/role.py "$1"
