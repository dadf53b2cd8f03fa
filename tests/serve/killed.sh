#!/bin/sh
# A few kills of the daemon; `sh tests/serve/killed.sh BUILD 100` for many.
exec python3 "$(dirname "$0")/killed.py" "$1" "${2:-6}" "${3:-1}"
