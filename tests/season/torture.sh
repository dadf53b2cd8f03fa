#!/bin/sh
# A season killed at random instants ends as one that was not. A few kills here; the long run is
#     TORTURE_KILLS=200 sh tests/season/torture.sh build/release
set -e
exec python3 tests/season/torture.py "$1" "${TORTURE_KILLS:-8}"
