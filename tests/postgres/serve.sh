#!/bin/sh
# SPDX-License-Identifier: MIT
# The daemon on a store in PostgreSQL: it admits what was handed in, plays, publishes, and ends when it
# is told; the password of its URL is in no process's arguments. Its status tells a store that is away or
# whose disk is full, and what another process plays.
. tests/postgres/begin.inc
export ARENA_STORE="postgresql://league:sec%25ret@127.0.0.1:$POSTGRES_TEST_PORT/league"

$psql -c "CREATE ROLE league LOGIN PASSWORD 'sec%ret'" -c "CREATE DATABASE league OWNER league"
# A full disk takes a small one of our own: the role's temporary files go there.
small=$POSTGRES_TEST_FOLDER/small
mkdir "$small"
trap 'umount --lazy "$small" 2>/dev/null || true; [ -z "$children" ] || kill -KILL $children 2>/dev/null || true; rm -rf "$folder"' EXIT
if [ "$(id -u)" -eq 0 ] &&
    mount -t tmpfs -o size=4m,uid="$(id -u postgres)",mode=700 small "$small" 2>/dev/null; then
    $psql -c "CREATE TABLESPACE small LOCATION '$small'" -c "GRANT CREATE ON TABLESPACE small TO league" \
        -c "ALTER ROLE league SET temp_tablespaces = small"
    can_fill=1
fi
"$arena" season new spring --budget 8 --clock turn=4000,bank=20000 >/dev/null
for bot in greedy random; do
    "$arena" submit "$build/bots/$bot" --queue >/dev/null
done
"$arena" serve --site "$folder/site" --jobs 1 --every 1 --metrics "$folder/metrics" >"$folder/log" 2>&1 &
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
    -c "INSERT INTO claim VALUES ('long', 'another', '0', now() + interval '29 s')"
while sleep 5; do # as its owner would
    "$POSTGRES_TEST_BIN/psql" -q "$ARENA_STORE" \
        -c "UPDATE claim SET expires_at = now() + interval '29 s' WHERE season = 'long'" 2>/dev/null || :
done &
children="$children $!"
for season in long other another; do # each has the seasons looked at again
    "$arena" season new $season --budget 2 >/dev/null
    wait_until "season $season is not looked at" 'grep -q " $season" "$folder/log"'
done
[ "$(grep -c 'rests long: played by another' "$folder/log")" = 1 ] || fail "$(cat "$folder/log")"

# status TEXT: the daemon's status has it; metric LINE: its metrics have it
status() { "$arena" status --json | grep -q -- "$1"; }
metric() { grep -qx "pavilion_$1" "$folder/metrics"; }
wait_until "what another plays is not told" \
    '"$arena" status | grep -q "^seasons  *4 open, 1 of them played by another process"'
wait_until "the site lacks something" 'metric "unpublished_seconds 0.0*" && metric "published_timestamp_seconds [1-9].*"'
wait_until "no metric tells them" 'metric "seasons_elsewhere 1" && metric "seasons_open 4" && metric "store_full 0"'
status '"published":"2' || fail "no time of a publication"

# A server that is away: the seasons are still those that were open, and its return is told.
control() { $POSTGRES_TEST_AS_OWNER "$POSTGRES_TEST_BIN/pg_ctl" -D "$POSTGRES_TEST_FOLDER/data" "$@" >/dev/null; }
control -m immediate stop
wait_until "the loss is not told" 'status "\"store\":\"down\""'
"$arena" status >"$folder/told"
grep -q "^store  *does not answer since 2" "$folder/told" &&
    grep -q "^seasons  *4 open when the store last answered" "$folder/told" || fail "$(cat "$folder/told")"
wait_until "no metric tells the loss" 'metric "store_up 0" && metric "seasons_open 4"'
! grep -q "store back" "$folder/log" || fail "a store that is away is back"
control -o "-p $POSTGRES_TEST_PORT" -l "$POSTGRES_TEST_FOLDER/log" -w start
wait_until "the return is not told" 'grep -q " store back: the store answers again" "$folder/log"'
wait_until "the store is not up" 'status "\"store\":\"up\""'
status "(before the store was back)" || fail "errors of the outage look like new ones"

# A full disk answers every question.
if [ -n "${can_fill-}" ]; then
    $POSTGRES_TEST_AS_OWNER dd if=/dev/zero of="$small/ballast" bs=64k 2>/dev/null || true
    wait_until "a full disk is no error" 'status "\"store\":\"full\"" && status "no room left on the server"'
    wait_until "no metric tells a full disk" 'metric "store_full 1"'
    rm "$small/ballast"
    wait_until "room is not told" 'grep -q " store back: there is room again" "$folder/log"'
else
    echo "no mount here: a full disk is not tried"
fi
kill -TERM "$daemon"
wait "$daemon" || fail "the daemon ended with a failure"
! grep -qF "sec%25ret" "$folder/log" || fail "a password in the log"
"$arena" store check --replays >"$folder/check" || fail "$(cat "$folder/check")"
