#!/bin/sh
# The daemon on a store in PostgreSQL: it admits what was handed in, plays, publishes, and ends when it
# is told; the password of its URL is in no process's arguments.
. tests/postgres/begin.inc
export ARENA_STORE="postgresql://league:sec%25ret@127.0.0.1:$POSTGRES_TEST_PORT/league"

$psql -c "CREATE ROLE league LOGIN PASSWORD 'sec%ret'" -c "CREATE DATABASE league OWNER league"
"$arena" season new spring --budget 8 --clock turn=4000,bank=20000 >/dev/null
for bot in greedy random; do
    "$arena" submit "$build/bots/$bot" --queue >/dev/null
done
"$arena" serve --site "$folder/site" --jobs 1 --every 1 >"$folder/log" 2>&1 &
daemon=$! children=$!
tries=0
until [ "$("$arena" games spring --json | wc -l)" = 8 ] &&
    grep -q greedy "$folder/site/spring/index.html" 2>/dev/null; do
    tries=$((tries + 1))
    [ "$tries" -lt 3000 ] || fail "not all was played and published"
    # Its own processes too: those that admit, unpack and publish. Some have ended by now.
    for process in $(pgrep -P "$daemon"); do
        echo "$process" >>"$folder/seen"
        ! tr '\0' ' ' <"/proc/$process/cmdline" 2>/dev/null | grep -qF "sec%25ret" ||
            fail "a password among the arguments of a process of the daemon"
    done
    sleep 0.1
done
[ -s "$folder/seen" ] || fail "no process of the daemon was looked at"
"$arena" status --json | grep -q '"running":true' || fail "status does not see the daemon"
# A season that another process plays is logged once, although the words tell how long its claim lasts.
"$POSTGRES_TEST_BIN/psql" -q "$ARENA_STORE" \
    -c "INSERT INTO claim VALUES ('long', 'another', '0', now() + interval '1 hour')"
for season in long other another; do # each has the seasons looked at again
    "$arena" season new $season --budget 2 >/dev/null
    wait_until "season $season is not looked at" 'grep -q " $season" "$folder/log"'
done
[ "$(grep -c 'rests long: .*is being played by another' "$folder/log")" = 1 ] || fail "$(cat "$folder/log")"
kill -TERM "$daemon"
wait "$daemon" || fail "the daemon ended with a failure"
! grep -qF "sec%25ret" "$folder/log" || fail "a password in the log"
"$arena" store check --replays >"$folder/check" || fail "$(cat "$folder/check")"
