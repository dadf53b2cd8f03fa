#!/bin/sh
# What commands print, whole, from states that are known: see printed.py.
exec python3 "$(dirname "$0")/printed.py" "$1"
