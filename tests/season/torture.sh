#!/bin/sh
# Seasons that are killed and changed at random instants end as if undisturbed. A few of them here;
#     sh tests/season/torture.sh build/release 100
# tears 100 stores of two seasons each, and kills a season 400 times more.
set -e
runs=${2:-1}
python3 tests/season/torture_history.py "$1" "$runs" ${3:-}
exec python3 tests/season/torture_kills.py "$1" "${TORTURE_KILLS:-$((4 * runs))}"
