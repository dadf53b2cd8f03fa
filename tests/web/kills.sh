#!/bin/sh
# SIGKILL of web process and daemon during uploads, 5 times; `python3 tests/web/kills.py build/debug 50` kills 50 times.
exec python3 "$(dirname "$0")/kills.py" "$1"
