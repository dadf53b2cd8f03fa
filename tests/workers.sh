#!/bin/sh
# A season on three workers and a PostgreSQL server: workers killed, stopped and cut off, the server
# killed; it ends as on one machine. As root also with workers in network namespaces of their own.
# Takes a few minutes.
#     sh tests/workers.sh [BUILD]
set -e
cd "$(dirname "$0")/.."
build=${1:-build/release}
sh tests/postgres/with_server python3 tests/worker/workers.py "$build"
[ "$(id -u)" -ne 0 ] || sh tests/postgres/with_server python3 tests/worker/hosts.py "$build"
