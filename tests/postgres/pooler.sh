#!/bin/sh
# SPDX-License-Identifier: MIT
# Everything behind pgbouncer in transaction mode: each transaction may get another connection of the
# server, so nothing may rest on a session.
PATH=$PATH:/usr/sbin
command -v pgbouncer >/dev/null || {
    echo "pgbouncer is not installed: skipped"
    exit 77
}
. tests/postgres/begin.inc

# Two connections for all clients: they change hands all the time.
port=$((POSTGRES_TEST_PORT + 1))
cat >"$POSTGRES_TEST_FOLDER/pooler.ini" <<END
[databases]
* = host=127.0.0.1 port=$POSTGRES_TEST_PORT
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = $port
auth_type = trust
auth_file = $POSTGRES_TEST_FOLDER/pooler.users
pool_mode = transaction
default_pool_size = 2
unix_socket_dir =
END
printf '"postgres" ""\n"arena_worker" ""\n' >"$POSTGRES_TEST_FOLDER/pooler.users"
$POSTGRES_TEST_AS_OWNER pgbouncer -q "$POSTGRES_TEST_FOLDER/pooler.ini" \
    >"$POSTGRES_TEST_FOLDER/pooler.log" 2>&1 &
children=$!
ARENA_STORE=postgresql://postgres@127.0.0.1:$port/postgres
export ARENA_STORE
wait_until "the pooler does not answer" \
    '"$POSTGRES_TEST_BIN/psql" -qtA -d "$ARENA_STORE" -c "SELECT 1" >/dev/null 2>&1'

for bot in greedy random; do
    "$arena" submit "$build/bots/$bot" --check-games 1 >/dev/null || fail "submit $bot"
done
for season in one two three; do
    "$arena" season new $season --budget 8 --clock turn=4000,bank=20000 >/dev/null || fail "new $season"
done
runs=
for season in one two three; do
    "$arena" season run $season >"$folder/$season.out" 2>"$folder/$season.err" &
    runs="$runs $!"
done
for run in $runs; do
    wait "$run" || fail "a run: $(cat "$folder"/*.err)"
done
for season in one two three; do
    [ "$("$arena" games $season --json | wc -l)" = 8 ] || fail "season $season has not 8 games"
done

# A season that workers play, under their own role and with a pool of their own.
"$arena" store role arena_worker | "$POSTGRES_TEST_BIN/psql" -qX -d "$POSTGRES_TEST_URL" || fail "the role"
"$arena" season new four --budget 24 --clock turn=4000,bank=20000 >/dev/null || fail "new four"
"$arena" serve --jobs 0 >"$folder/serve.log" 2>&1 &
served=$!
children="$children $served"
workers=
for worker in left right; do
    ARENA_STORE=$(echo "$ARENA_STORE" | sed 's/postgres@/arena_worker@/') "$arena" worker --json \
        --name $worker --jobs 2 --lease 10 --cache "$folder/cache-$worker" >"$folder/$worker.log" 2>&1 &
    workers="$workers $!"
done
children="$children $workers"
wait_until "workers behind the pooler do not finish the season" \
    '[ "$("$arena" games four --json | wc -l)" -ge 24 ]'
for process in $workers $served; do
    kill "$process"
    wait "$process" || fail "process $process did not end well"
done
for worker in left right; do
    grep -q '"event":"stopped"' "$folder/$worker.log" || fail "$worker did not stop"
    ! grep -qE '"event":"(error|refused|store lost)"' "$folder/$worker.log" || fail "$worker had trouble"
done
[ "$("$arena" games four --json | grep -c '"worker": *[1-9]')" = 24 ] || fail "not all games name a worker"

# What a transaction left in a connection of the server would be the next client's: settings,
# prepared statements, locks. Two at a time, so that they get both connections of a pool.
left="SELECT 'setting ' || name FROM pg_settings WHERE source = 'session' AND name NOT IN ('application_name',
    'client_encoding', 'DateStyle', 'IntervalStyle', 'TimeZone', 'standard_conforming_strings')
    UNION ALL SELECT 'statement ' || name FROM pg_prepared_statements
    UNION ALL SELECT 'lock ' || objid FROM pg_locks WHERE locktype = 'advisory'
    UNION ALL SELECT 'table ' || relname FROM pg_class WHERE relpersistence = 't'"
for user in postgres arena_worker; do
    for time in 1 2; do
        "$POSTGRES_TEST_BIN/psql" -qtAX -d "$(echo "$ARENA_STORE" | sed "s/postgres@/$user@/")" \
            -c "BEGIN; SELECT pg_sleep(0.5); $left; COMMIT" >>"$folder/left" &
        [ "$time" = 2 ] || first=$!
    done
    wait "$first" $! || fail "asking for what is left"
done
! grep . "$folder/left" || fail "something is left in a session"

"$arena" retire random >/dev/null || fail "retire"
"$arena" season close one >/dev/null || fail "close"
"$arena" store check --replays >"$folder/check" || fail "$(cat "$folder/check")"
"$arena" store copy "$ARENA_STORE" "$folder/copy" >"$folder/copied" || fail "copy"
"$arena" doctor --store "$ARENA_STORE" | grep -q "^WARN  connection .*through a pooler" ||
    fail "doctor does not see the pooler"
