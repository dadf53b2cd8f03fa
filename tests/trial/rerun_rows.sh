#!/bin/sh
exec /usr/bin/python3 "$(dirname "$0")/rerun_rows.py" "$1"
