#!/bin/sh
# Every command as typed and what it says, compared whole. $1 is the build folder.
exec /usr/bin/python3 "$(dirname "$0")/transcript.py" "$1"
