#!/bin/sh
# An author on another host, a network namespace: from a token to the ladder, and ten broken bots.
exec python3 "$(dirname "$0")/network.py" "$1"
