#!/bin/sh
# SPDX-License-Identifier: MIT
# `arena sprt` from end to end: verdicts either way, whatever the jobs; draws of its own for each game.
. tests/season/league.inc
greedy=$build/bots/greedy random=$build/bots/random
seed=00000000000000000000000000000001

sprt()
{
    "$arena" sprt "$@"
}

expect 0 "^accepted: NEW is better" sprt "$greedy" "$random" --elo1 300 --seed $seed --jobs 2
grep -q "^50 groups of two games, one in each order of the seats; NEW's points in a group (won 1, tied 0.5): 2 in 50," "$folder/out" ||
    fail "a verdict at another group than the fiftieth"
grep -q "^seed $seed$" "$folder/out" || fail "the seed is not told"
expect 0 "^rejected: NEW is not better" sprt "$random" "$greedy" --elo1 300 --seed $seed
expect 0 '"verdict":"accepted".*"groups":50,"games":100' sprt "$greedy" "$random" --elo1 300 \
    --seed $seed --json
cp "$folder/out" "$folder/one"
expect 0 accepted sprt "$greedy" "$random" --elo1 300 --seed $seed --json --jobs 3
cmp -s "$folder/out" "$folder/one" || fail "the answer depends on --jobs"

# A bot against itself: with the same draws in both seatings it takes half of every group.
expect 0 '"verdict":"inconclusive".*"groups":20,"games":40,"counts":\[0,0,20,0,0\]' sprt \
    "$greedy" "$greedy" --max-groups 20 --seed $seed --same-draws --json
expect 0 '"verdict":"inconclusive".*"groups":20' sprt "$greedy" "$greedy" --max-groups 20 --seed $seed --json
! grep -q '"counts":\[0,0,20,0,0\]' "$folder/out" || fail "both games of a group have the same draws"
