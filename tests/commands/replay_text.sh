#!/bin/sh
# SPDX-License-Identifier: MIT
# A match told to people: 80 columns, every round and decision, the scores of the JSON.
source=$(pwd)
. tests/begin.inc
set +e
cd "$folder"
# Matches that were recorded once, told whole; of one with stand-ins its last round.
cp "$source"/tests/fuzz/corpus/replay/* . || exit 1
{
    for replay in whole-2 timeout-2 out-in-hello-3 forfeit-2; do
        "$arena" replay "$replay" || fail "$replay: not told"
    done
    "$arena" replay stand-ins-4 | sed -n '/^Round 6/,$p'
} | sed "s,again   .*/arena ,again   arena ,; s,debug   .*/arena ,debug   arena ," >told
cp told "$build/replay-text.txt"
cmp "$source/tests/golden/replay-text.txt" told || {
    diff "$source/tests/golden/replay-text.txt" told | head -20
    fail "a match is told otherwise than in tests/golden/replay-text.txt"
}
for game in 'colored 2' 'gray 3' 'colored 4'; do
    set -- $game
    bots="$build/bots/greedy $build/bots/greedy-python"
    [ "$2" -gt 2 ] && bots="$bots $build/bots/random"
    [ "$2" -gt 3 ] && bots="$bots $build/bots/random"
    # shellcheck disable=SC2086
    "$arena" match --board "$1" --seed 000102030405060708090a0b0c0d0e0f --replays "$1-$2" $bots \
        >/dev/null || fail "$game: not played"
    replay=$1-$2/000000-0.replay
    "$arena" replay "$replay" >text || fail "$game: not told"
    "$arena" replay "$replay" --json >json || fail "$game: no JSON"
    wide=$(LC_ALL=C.UTF-8 awk 'length > 80' text | head -1)
    [ -z "$wide" ] || fail "$game: wider than 80 columns: $wide"
    [ "$(grep -c '^ *[0-9][0-9]*  round [1-6], ' text)" -eq "$(grep -c '"turn"' json)" ] ||
        fail "$game: not every decision is told"
    [ "$(grep -c '^Round [1-6], wild ' text)" -eq 6 ] || fail "$game: not every round is told"
    told=$(sed -n 's/^  final score *//p' text | tr -s ' ' ,)
    grep -qF "\"scores\":[$told]" json || fail "$game: final score $told is not that of the JSON"
done
