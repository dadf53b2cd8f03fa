#!/bin/sh
# arena match --watch and --open, on a terminal of our own. $1 is the build folder.
set -eu
here=$(realpath "$(dirname "$0")")
build=$(realpath "$1")
room=$(mktemp -d)
trap 'rm -rf "$room"' EXIT
cd "$room"
/usr/bin/python3 "$here/match_watch.py" "$build"

"$build/bin/arena" match --open --replays games "$build/bots/random" "$build/bots/greedy" >out
grep -q '^games/000000-0.html: ' out
grep -q '^<!' games/000000-0.html
