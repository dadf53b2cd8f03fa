#!/bin/sh
# SPDX-License-Identifier: MIT
# A season on three workers and a PostgreSQL server: workers killed, stopped and cut off, the server
# killed; it ends as on one machine. Takes a few minutes.
#     sh tests/workers.sh [BUILD [--bench | --daemons]]
# With --bench it measures instead, and prints: docs/scale.md has the figures. With --daemons two daemons
# take turns: the one that has the season is stopped, killed and cut off.
set -e
cd "$(dirname "$0")/.."
build=${1:-build/release}
if [ "${2-}" = --bench ]; then
    for part in claims simulate season; do
        sh tests/postgres/with_server python3 tests/worker/bench.py "$build" $part
    done
    exit 0
fi
[ "${2-}" != --daemons ] || exec sh tests/postgres/with_server python3 tests/worker/daemons.py "$build"
exec sh tests/postgres/with_server python3 tests/worker/season.py "$build"
