#!/bin/sh
exec /usr/bin/python3 "$(dirname "$0")/match.py" "$1"
