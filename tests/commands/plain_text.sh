#!/bin/sh
# Whatever the names of files, bots and authors are, no output can act on a terminal.
set -eu
here=$(dirname "$0")
exec /usr/bin/python3 "$here/plain_text.py" "$1"
