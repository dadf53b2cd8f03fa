#!/bin/sh
# SPDX-License-Identifier: MIT
# A connection that is lost in mid-commit: whatever was kept counts once, whatever was not is done
# again, and who asked for it notices nothing.
. tests/postgres/begin.inc
port=$((POSTGRES_TEST_PORT + 1))
cut=postgresql://postgres@127.0.0.1:$port/postgres

# cut_every N: from now on each Nth commit over $cut
cut_every()
{
    [ -z "$children" ] || kill "$children" # the proxy
    rm -f "$folder/ready" # of the one before
    python3 tests/postgres/cut.py $port "$POSTGRES_TEST_PORT" "$1" "$folder/cuts" >"$folder/ready" &
    children=$!
    wait_until "no proxy" 'grep -qs ready "$folder/ready"'
}

ARENA_STORE=$POSTGRES_TEST_URL
export ARENA_STORE
for bot in greedy random; do
    "$arena" submit "$build/bots/$bot" --check-games 1 >/dev/null
done
"$arena" season new spring --budget 24 --clock turn=4000,bank=20000 >/dev/null

# Every other commit, so that what is done again passes: the first is cut after it was kept.
cut_every 2
for i in 1 2 3 4; do
    "$arena" season extend spring --budget 1 --store "$cut" >/dev/null || fail "extend $i"
done
[ "$($psql -c "SELECT budget_games FROM season")" = 28 ] || fail "a change counted twice, or not"
[ "$($psql -c "SELECT count(*) FROM event WHERE what = 'extend'")" = 4 ] || fail "events"
grep -q after "$folder/cuts" && grep -q before "$folder/cuts" || fail "both kinds of cut were met"

cut_every 5
"$arena" season run spring --jobs 2 --store "$cut" >"$folder/out" 2>&1 || fail "$(cat "$folder/out")"
[ "$(grep -c . "$folder/cuts")" -ge 4 ] || fail "few cuts: $(cat "$folder/cuts")"
[ "$("$arena" games spring --json | sort | uniq | wc -l)" = 28 ] || fail "not 28 games"
"$arena" store check --replays >"$folder/check" || fail "$(cat "$folder/check")"

# Half a message, in a transaction that has stored a game, and then nothing: the server gives that transaction up.
if [ "$(id -u)" -eq 0 ]; then
    "$arena" season extend spring --budget 4 >/dev/null
    : >"$folder/cuts"
    cut_every 0
    "$arena" season run spring --jobs 1 --store "$cut" >"$folder/out" 2>&1 || : # may say that the connection is lost
    grep -q half "$folder/cuts" || fail "no message was cut: $(cat "$folder/out")"
    wait_until "the transaction whose client is gone goes on: $(cat "$folder/out")" \
        '"$arena" season run spring --jobs 1 >"$folder/out" 2>&1'
    [ "$("$arena" games spring --json | sort | uniq | wc -l)" = 32 ] || fail "not 32 games"
fi
