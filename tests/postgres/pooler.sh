#!/bin/sh
# Everything behind pgbouncer in transaction mode: each transaction may get another connection of the
# server, so nothing may rest on a session.
set -eu
here=$(dirname "$0")
PATH=$PATH:/usr/sbin
command -v pgbouncer >/dev/null || {
    echo "pgbouncer is not installed: skipped"
    exit 77
}
[ -n "${POSTGRES_TEST_URL-}" ] || exec sh "$here/with_server" sh "$0" "$@"
build=$1
arena=$build/bin/arena
folder=$(mktemp -d)
pooler=
trap '[ -z "$pooler" ] || kill "$pooler" 2>/dev/null || true; rm -rf "$folder"' EXIT
ARENA_HOME=$folder/home
export ARENA_HOME

fail()
{
    echo "FAILED: $1" >&2
    cat "$POSTGRES_TEST_FOLDER/pooler.log" >&2
    exit 1
}

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
echo '"postgres" ""' >"$POSTGRES_TEST_FOLDER/pooler.users"
$POSTGRES_TEST_AS_OWNER pgbouncer -q "$POSTGRES_TEST_FOLDER/pooler.ini" \
    >"$POSTGRES_TEST_FOLDER/pooler.log" 2>&1 &
pooler=$!
ARENA_STORE=postgresql://postgres@127.0.0.1:$port/postgres
export ARENA_STORE
tries=0
until "$POSTGRES_TEST_BIN/psql" -qtA -d "$ARENA_STORE" -c "SELECT 1" >/dev/null 2>&1; do
    tries=$((tries + 1))
    [ "$tries" -lt 100 ] || fail "the pooler does not answer"
    sleep 0.1
done

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
"$arena" retire random >/dev/null || fail "retire"
"$arena" season close one >/dev/null || fail "close"
"$arena" store check --replays >"$folder/check" || fail "$(cat "$folder/check")"
"$arena" store copy "$ARENA_STORE" "$folder/copy" >"$folder/copied" || fail "copy"
"$arena" doctor --store "$ARENA_STORE" | grep -q "^WARN  connection .*through a pooler" ||
    fail "doctor does not see the pooler"
