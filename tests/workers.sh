#!/bin/sh
# A season on three workers and a PostgreSQL server: workers killed, stopped and cut off, the server
# killed; it ends as on one machine. Takes a few minutes.
#     sh tests/workers.sh [BUILD [--bench]]
# With --bench it measures instead, and prints: docs/scale.md has the figures.
set -e
cd "$(dirname "$0")/.."
build=${1:-build/release}
if [ "${2-}" = --bench ]; then
    for part in claims simulate season; do
        sh tests/postgres/with_server python3 tests/worker/bench.py "$build" $part
    done
    exit 0
fi
exec sh tests/postgres/with_server python3 tests/worker/season.py "$build"
