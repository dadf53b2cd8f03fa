#!/bin/sh
exec /usr/bin/python3 "$(dirname "$0")/crowd.py" "$1" 300 2000
