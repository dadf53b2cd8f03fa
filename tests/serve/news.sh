#!/bin/sh
exec python3 "$(dirname "$0")/news.py" "$1"
