#!/bin/sh
# Damage of a store is found, and a copy can be made while it is written.
exec /usr/bin/python3 "$(dirname "$0")/damage.py" "$1"
