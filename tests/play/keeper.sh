#!/bin/sh
exec /usr/bin/python3 "$(dirname "$0")/keeper.py" "$1"
