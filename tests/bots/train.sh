#!/bin/sh
# SPDX-License-Identifier: MIT
# The program train: the same options give the same bytes, and bad ones a line and exit status 2.
set -eu
train=$1/bin/train
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT

"$train" --games 60 --seed 7 "$folder/a" >"$folder/log"
"$train" --games 60 --seed 7 "$folder/b" >"$folder/log"
"$train" --games 60 --seed 8 "$folder/c" >"$folder/log"
cmp "$folder/a" "$folder/b"
! cmp -s "$folder/a" "$folder/c" || { echo "another seed made the same weights"; exit 1; }
grep -q '^60 of 60 games: ' "$folder/log" || { cat "$folder/log"; exit 1; }
[ ! -e "$folder/a.part" ]

# refuses WANTED OPTION...
refuses() {
    wanted=$1
    shift
    status=0
    "$train" "$@" >/dev/null 2>"$folder/error" || status=$?
    [ "$status" -eq 2 ] || { echo "train $*: exit status $status, not 2"; exit 1; }
    [ "$(wc -l <"$folder/error")" -eq 1 ] || { echo "train $*: more than a line"; exit 1; }
    grep -q -e "$wanted" "$folder/error" || { echo "train $*:"; cat "$folder/error"; exit 1; }
}
refuses 'no FILE given'
refuses "unknown option '--game'" --game 5 "$folder/d"
refuses "players: must be a number from 2 to 4, not '5'" --players 5 "$folder/d"
refuses "board: must be colored or gray, not 'grey'" --board grey "$folder/d"
refuses "games: must be a number from 1" --games 0 "$folder/d"
refuses "least-rate: must be a number from 0 to 1000, not '-1'" --least-rate -1 "$folder/d"
refuses "games: must be a number from 1 to 1000000000, not ''" "$folder/d" --games
[ ! -e "$folder/d" ]
status=0
"$train" --games 1 "$folder/none/d" 2>"$folder/error" || status=$?
[ "$status" -eq 1 ] || { echo "a folder that is not there: exit status $status, not 1"; exit 1; }
grep -q "none/d: No such file" "$folder/error"
echo "the trainer does what its options say"
