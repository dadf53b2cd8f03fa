#!/bin/sh
# A store of the first schema, made by the arena of that time, goes through every step to today's.
exec python3 tests/store/older.py "$1"
