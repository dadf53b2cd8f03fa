#!/bin/sh
# A short season on three workers, one of which is killed and one loses its connection while it
# commits. The long run, with all that can go wrong, is
#     sh tests/workers.sh build/release
exec sh tests/postgres/with_server python3 tests/worker/workers.py "$1" --short
