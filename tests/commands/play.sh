#!/bin/sh
# arena play and arena replay --play, on a terminal of our own. $1 is the build folder.
set -eu
here=$(realpath "$(dirname "$0")")
build=$(realpath "$1")
exec /usr/bin/python3 "$here/play.py" "$build"
