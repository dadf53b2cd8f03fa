#!/bin/sh
# SPDX-License-Identifier: MIT
# Who plays a season on PostgreSQL, and what a lost claim, a server that dies and a full disk do: each
# is told in one line, nothing counts twice, and the next run goes on.
# A full disk takes a small one of our own, mounted for the server too.
if [ -z "${POSTGRES_TEST_URL-}" ] && [ "$(id -u)" -eq 0 ] && unshare -m true 2>/dev/null; then
    exec unshare -m sh tests/postgres/with_server sh "$0" "$@"
fi
. tests/postgres/begin.inc
export ARENA_STORE="$POSTGRES_TEST_URL"

# ended STATUS TEXT NAME PID: the run called so has ended, with one line of standard error
ended()
{
    status=0
    wait "$4" || status=$?
    [ "$status" = "$1" ] || fail "run $3 ended with status $status, not $1"
    grep -q -- "$2" "$folder/$3.err" || fail "run $3: no '$2'"
    [ "$(grep -c . "$folder/$3.err")" = 1 ] || fail "run $3: more than one line"
}

# begin NAME [OPTION ...]: starts a run, as $run
begin()
{
    name=$1
    shift
    "$arena" season run spring --jobs 2 "$@" >"$folder/$name.out" 2>"$folder/$name.err" &
    run=$!
}

games() { $psql -c "SELECT count(*) FROM game"; }

for bot in greedy random; do
    "$arena" submit "$build/bots/$bot" --check-games 1 >/dev/null
done
"$arena" season new spring --budget 4000 --clock turn=4000,bank=20000 >/dev/null

# ---- one plays it: another is refused, and is told by whom and for how long
begin first
first=$run children=$run
wait_until "no games" '[ "$(games)" -gt 3 ]'
begin second --games 2
ended 2 "season spring is being played by process $first of .*its claim on the season ends in [0-9]* s" second "$run"

# ---- a frozen one loses it to who asks, and what it brings later is refused
kill -STOP "$first"
$psql -c "UPDATE claim SET expires_at = now() - interval '1 s'"
begin third --games 4
wait "$run" || fail "a claim that has ended is not for who asks"
kill -CONT "$first"
ended 1 "this process lost its claim on season spring, because the process was paused" first "$first"
[ "$($psql -c "SELECT count(*) FROM claim")" = 0 ] || fail "a run that ended left its claim"

# ---- the server dies in the middle: the run ends and says why; the next one goes on
begin fourth
first=$run children=$run
before=$(games)
wait_until "no games" '[ "$(games)" -gt $((before + 2)) ]'
$POSTGRES_TEST_AS_OWNER "$POSTGRES_TEST_BIN/pg_ctl" -D "$POSTGRES_TEST_FOLDER/data" -m immediate \
    -w stop >/dev/null
ended 1 "postgres: .*cannot connect\|the connection was lost" fourth "$first"
status=0
"$arena" ladder spring >"$folder/ladder.out" 2>"$folder/ladder.err" || status=$?
[ $status = 1 ] && grep -q "cannot connect" "$folder/ladder.err" || fail "no server, and a ladder"
$POSTGRES_TEST_AS_OWNER "$POSTGRES_TEST_BIN/pg_ctl" -D "$POSTGRES_TEST_FOLDER/data" \
    -o "-p $POSTGRES_TEST_PORT" -l "$POSTGRES_TEST_FOLDER/log" -w start >/dev/null
$psql -c "DELETE FROM claim" # it would end by itself, in half a minute
before=$(games)
begin fifth --games 4
wait "$run" || fail "a run after the server was back"
[ "$(games)" -ge $((before + 4)) ] || fail "the run after the server was back played no 4 games"

# ---- the server's disk is full: told as that; with room again the games go on
mkdir "$POSTGRES_TEST_FOLDER/small"
if [ "$(id -u)" -eq 0 ] &&
    mount -t tmpfs -o size=12m,uid="$(id -u postgres)",mode=700 small "$POSTGRES_TEST_FOLDER/small" \
        2>/dev/null; then
    $psql -c "CREATE TABLESPACE small LOCATION '$POSTGRES_TEST_FOLDER/small'"
    $psql -c "ALTER TABLE replay SET TABLESPACE small"
    $POSTGRES_TEST_AS_OWNER dd if=/dev/zero of="$POSTGRES_TEST_FOLDER/small/ballast" bs=64k \
        2>/dev/null || true
    begin sixth
    ended 1 "no room left on the server: make room on its disk" sixth "$run"
    rm "$POSTGRES_TEST_FOLDER/small/ballast"
    begin seventh --games 4
    wait "$run" || fail "a run after there was room again"
    $psql -c "ALTER TABLE replay SET TABLESPACE pg_default"
    $psql -c "DROP TABLESPACE small"
    umount "$POSTGRES_TEST_FOLDER/small"
else
    echo "no mount here: a full disk is not tried"
fi

# Nothing counts twice, and all that is there is whole.
"$arena" store check --replays >"$folder/check" || fail "$(cat "$folder/check")"
