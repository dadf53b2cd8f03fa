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

# Goes on from weights; the mean of one file is the file, of two it lies between.
"$train" --games 30 --from "$folder/a" --depth 1 --random drafts --one-ply 0 "$folder/e" >"$folder/log"
"$train" --games 30 --from "$folder/a" --depth 1 --random drafts --one-ply 0 "$folder/f" >"$folder/log"
cmp "$folder/e" "$folder/f"
! cmp -s "$folder/a" "$folder/e" || { echo "went on from weights, and learned nothing"; exit 1; }
"$train" --games 30 --depth 1 --random drafts --one-ply 0 "$folder/g" >"$folder/log"
! cmp -s "$folder/g" "$folder/e" || { echo "began from nothing, not from the weights"; exit 1; }
"$train" --mean "$folder/h" "$folder/a"
cmp "$folder/a" "$folder/h"
"$train" --mean "$folder/h" "$folder/a" "$folder/a" "$folder/a"
cmp -s -i 12 "$folder/a" "$folder/h" || { echo "the mean of equal weights differs"; exit 1; }
"$train" --mean "$folder/h" "$folder/a" "$folder/c"
! cmp -s "$folder/a" "$folder/h" || { echo "the mean ignores the second file"; exit 1; }
"$train" --games 1 --board gray "$folder/gray" >"$folder/log"

# Networks: from weights, the same bytes for the same numbers.
weights=sdk/steady/tables/2-colored.weights
"$train" --net "$folder/n" $weights 20 1 7 >"$folder/log"
"$train" --net "$folder/o" $weights 20 1 7 >"$folder/log"
"$train" --net "$folder/p" $weights 20 1 8 >"$folder/log"
cmp "$folder/n" "$folder/o"
! cmp -s "$folder/n" "$folder/p" || { echo "another seed made the same networks"; exit 1; }
[ "$(grep -c '^round [1-6]: mean squared error ' "$folder/log")" -eq 6 ] || { cat "$folder/log"; exit 1; }
[ "$(wc -c <"$folder/n")" -eq "$(wc -c <bots/search/2-colored.net)" ]

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
refuses "depth: must be a number from 1 to 2, not '3'" --depth 3 "$folder/d"
refuses "random: must be all or drafts, not 'none'" --random none "$folder/d"
refuses "from: no file given" "$folder/d" --from
refuses "none: No such file" --from "$folder/none" "$folder/d"
refuses "train.sh: not a file of weights" --from "$0" "$folder/d"
refuses "weights for another number of players" --players 3 --from "$folder/a" "$folder/d"
refuses "give a FILE to write and at least one PART" --mean "$folder/d"
refuses "gray: weights for another number of players" --mean "$folder/d" "$folder/a" "$folder/gray"
refuses "games: must be a number from 1 to 1000000000, not ''" "$folder/d" --games
refuses "give a FILE to write, a file of WEIGHTS" --net "$folder/d"
refuses "give a FILE to write, a file of WEIGHTS" --net "$folder/d" $weights 1 1 1 1
refuses "none: No such file" --net "$folder/d" "$folder/none"
refuses "GAMES must be a number from 2 to 1000000, not '1'" --net "$folder/d" $weights 1
refuses "EPOCHS must be a number from 1 to 1000, not ''" --net "$folder/d" $weights 10 ""
refuses "SEED must be a number from 0" --net "$folder/d" $weights 10 1 -1
refuses "weights for two players on the colored side" --net "$folder/d" "$folder/gray"
[ ! -e "$folder/d" ]
status=0
"$train" --games 1 "$folder/none/d" 2>"$folder/error" || status=$?
[ "$status" -eq 1 ] || { echo "a folder that is not there: exit status $status, not 1"; exit 1; }
grep -q "none/d: No such file" "$folder/error"
echo "the trainer does what its options say"
