#!/bin/sh
# No file past 500 lines, no function past 80.
set -eu
exec python3 tests/include_direction/sizes.py
