#!/bin/sh
exec /usr/bin/python3 "$(dirname "$0")/hostile.py" "$1"
