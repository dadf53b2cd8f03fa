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
refused() {
    said=$1
    shift
    status=0
    "$build/bin/arena" match "$@" "$build/bots/random" "$build/bots/random" </dev/null >out 2>err || status=$?
    [ $status -eq 2 ] && [ "$(wc -l <err)" -eq 1 ] && grep -q -e "$said" err || { cat err; exit 1; }
}
refused 'needs a terminal' --watch
refused 'one match at a time' --watch --jobs 2
refused 'open cannot be combined with --json' --json --open
