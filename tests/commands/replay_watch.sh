#!/bin/sh
# arena replay GAME --watch and arena match --watch, on a terminal of our own; match --open.
set -eu
here=$(realpath "$(dirname "$0")")
build=$(realpath "$1")
room=$(mktemp -d)
trap 'rm -r "$room"' EXIT
cd "$room"
for players in 2 4; do
    bots="$build/bots/greedy $build/bots/random"
    [ $players -eq 4 ] && bots="$bots $bots"
    # shellcheck disable=SC2086
    "$build/bin/arena" match --seed 000102030405060708090a0b0c0d0e0f --replays $players $bots >/dev/null
    /usr/bin/python3 "$here/replay_watch.py" "$build/bin/arena" "$players/000000-0.replay"
done
"$build/bin/arena" replay 2/000000-0.replay --watch </dev/null >out 2>err || status=$?
[ "${status-0}" -eq 2 ]
grep -q '^arena: --watch: needs a terminal' err
"$build/bin/arena" match --open --replays games "$build/bots/random" "$build/bots/greedy" >out
grep -q '^games/000000-0.html: ' out
grep -q '^<!' games/000000-0.html
