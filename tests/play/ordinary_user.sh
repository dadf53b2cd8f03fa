#!/bin/sh
exec /usr/bin/python3 "$(dirname "$0")/ordinary_user.py" "$1"
