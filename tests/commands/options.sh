#!/bin/sh
# The bounds of every option that takes a number, and of those that take a word: see options.py.
exec python3 "$(dirname "$0")/options.py" "$1"
