#!/bin/sh
exec /usr/bin/python3 "$(dirname "$0")/tables.py" "$1"
