#!/bin/sh
exec /usr/bin/python3 "$(dirname "$0")/golden.py" "$(dirname "$0")/../golden"
