#!/bin/sh
# Seasons that are killed and changed at random instants end as if undisturbed. One store of two here;
#     sh tests/season/torture.sh build/release 100
# tears 100 stores.
exec python3 tests/season/torture_history.py "$1" "${2:-1}" ${3:-}
