#!/bin/sh
# Each room of arena/ includes and calls only what docs/architecture.md says of it.
set -eu
exec python3 tests/include_direction/rooms.py "$1"
