#!/bin/sh
# `arena sprt` from end to end: verdicts either way, whatever the jobs; draws of its own for each game.
set -e
build=$1
arena=$build/bin/arena
greedy=$build/bots/greedy random=$build/bots/random
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT
seed=00000000000000000000000000000001

fail()
{
    echo "FAILED: $1" >&2
    cat "$folder/out" "$folder/err" >&2
    exit 1
}

# expect STATUS TEXT ARGUMENT...: the exit status of `arena sprt`, and a text in what it printed
expect()
{
    wanted=$1 text=$2
    shift 2
    status=0
    "$arena" sprt "$@" >"$folder/out" 2>"$folder/err" </dev/null || status=$?
    [ "$status" = "$wanted" ] || fail "$*: status $status, not $wanted"
    cat "$folder/out" "$folder/err" | grep -q -- "$text" || fail "$*: no '$text'"
    [ "$wanted" = 0 ] || [ "$(wc -l <"$folder/err")" = 1 ] || fail "$*: not one line"
}

expect 0 "^accepted: NEW is better" "$greedy" "$random" --elo1 300 --seed $seed --jobs 2
grep -q "^50 groups, 100 games; groups by how NEW fared in their two games, LL (lost both) to WW: " "$folder/out" ||
    fail "a verdict at another group than the fiftieth"
grep -q "^seed $seed$" "$folder/out" || fail "the seed is not told"
expect 0 "^rejected: NEW is not better" "$random" "$greedy" --elo1 300 --seed $seed
expect 0 '"verdict":"accepted".*"groups":50,"games":100' "$greedy" "$random" --elo1 300 \
    --seed $seed --json
cp "$folder/out" "$folder/one"
expect 0 accepted "$greedy" "$random" --elo1 300 --seed $seed --json --jobs 3
cmp -s "$folder/out" "$folder/one" || fail "the answer depends on --jobs"

# A bot against itself: with the same draws in both seatings it takes half of every group.
expect 0 '"verdict":"inconclusive".*"groups":20,"games":40,"counts":\[0,0,20,0,0\]' \
    "$greedy" "$greedy" --max-groups 20 --seed $seed --same-draws --json
expect 0 '"verdict":"inconclusive".*"groups":20' "$greedy" "$greedy" --max-groups 20 --seed $seed --json
grep -q '"counts":\[0,0,20,0,0\]' "$folder/out" && fail "both games of a group have the same draws"

expect 0 "usage: arena sprt NEW OLD" --help
expect 2 "name two bots" "$greedy"
expect 2 "unknown option" "$greedy" "$random" --rotate
expect 2 "needs elo0 < elo1" "$greedy" "$random" --elo0 10 --elo1 5
expect 2 "is not a number" "$greedy" "$random" --alpha x
expect 2 "is not a number from 1" "$greedy" "$random" --max-groups 0
expect 2 "32 hex digits" "$greedy" "$random" --seed 1
expect 2 "nobody" "$greedy" "$folder/nobody"
