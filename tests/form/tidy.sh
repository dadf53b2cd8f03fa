#!/bin/sh
# SPDX-License-Identifier: MIT
# clang-tidy finds nothing, by the checks of .clang-tidy. What was clean stays clean while nothing that it reads
# changes: the build folder remembers it. `sh tests/form/tidy.sh build/debug` takes a minute of two cores at first.
set -eu
clang-tidy --version 2>/dev/null | grep -q 'version 14\.' || { echo "skipped: needs clang-tidy 14"; exit 77; }
exec python3 tests/form/tidy.py "$1"
