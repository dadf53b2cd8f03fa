#!/bin/sh
# Databases of every older schema, as pg_dump tells them (tests/golden/store): each is brought up to
# date, holds what it held, and is then like a new one.
set -eu
here=$(dirname "$0")
[ -n "${POSTGRES_TEST_URL-}" ] || exec sh "$here/with_server" sh "$0" "$@"
build=$1
arena=$build/bin/arena
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
server=postgresql://postgres@127.0.0.1:$POSTGRES_TEST_PORT
psql="$POSTGRES_TEST_BIN/psql -v ON_ERROR_STOP=1 -qtA -d"
ARENA_HOME=$folder/home
export ARENA_HOME

fail()
{
    echo "FAILED: $1" >&2
    exit 1
}

# Columns and indexes of a database.
describe()
{
    $psql "$server/$1" -c "SELECT table_name, column_name, data_type, is_nullable
        FROM information_schema.columns WHERE table_schema = 'public' ORDER BY 1, 2" \
        -c "SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1" \
        -c "SELECT conrelid::regclass::text, pg_get_constraintdef(oid) FROM pg_constraint
            WHERE connamespace = 'public'::regnamespace ORDER BY 1, 2" \
        -c "SELECT proname FROM pg_proc WHERE pronamespace = 'public'::regnamespace ORDER BY 1" \
        -c "SELECT tgname FROM pg_trigger WHERE NOT tgisinternal ORDER BY 1"
}
$psql "$POSTGRES_TEST_URL" -c "CREATE DATABASE new"
"$arena" season new spring --store "$server/new" >/dev/null
describe new >"$folder/new"
newest=$($psql "$server/new" -c "SELECT version FROM pavilion")

version=7
while [ "$version" -lt "$newest" ]; do
    dump=tests/golden/store/postgres-$version.sql
    [ -s "$dump" ] || fail "$dump is missing"
    $psql "$POSTGRES_TEST_URL" -c "CREATE DATABASE older$version"
    $psql "$server/older$version" -f "$dump" >/dev/null
    ARENA_STORE=$server/older$version
    export ARENA_STORE
    # A worker of this version waits for the owner; from version 8 on it has functions to call.
    if [ "$version" -ge 8 ]; then
        "$arena" store role hand | $psql "$ARENA_STORE" >/dev/null
        ! "$arena" worker --store "postgresql://hand@${server#*@}/older$version" --cache "$folder/cache" \
            2>"$folder/err" || fail "version $version: a worker plays"
        [ "$(wc -l <"$folder/err")" = 1 ] && grep -q "was written by an older arena (schema $version, this one knows $newest): the role that owns the league brings it up to date" "$folder/err" ||
            fail "version $version: a worker is told $(cat "$folder/err")"
    fi
    "$arena" store check >"$folder/check" || fail "version $version: $(cat "$folder/check")"
    grep -q "3 bots, 1 seasons, 2 games: sound" "$folder/check" ||
        fail "version $version: $(cat "$folder/check")"
    "$arena" games spring --json | grep -q '"scores":\[60,50\]' || fail "version $version: games"
    "$arena" season show spring --json | grep -q '"players":\[2,3\].*"budget":100' ||
        fail "version $version: terms"
    [ "$("$arena" bots --json | grep -o '"version":' | wc -l)" = 3 ] || fail "version $version: bots"
    [ "$($psql "$ARENA_STORE" -c "SELECT version FROM pavilion")" = "$newest" ] ||
        fail "version $version is not brought to $newest"
    describe "older$version" >"$folder/upgraded"
    cmp "$folder/new" "$folder/upgraded" || {
        diff "$folder/new" "$folder/upgraded"
        fail "version $version does not become what a new one is"
    }
    "$arena" season extend spring --budget 7 >/dev/null || fail "version $version: no change is kept"
    "$arena" season events spring --json | grep -q '"event":3,.*extend' ||
        fail "version $version: events do not go on counting"
    version=$((version + 1))
done

# What a newer arena made, and what none made, is left alone.
$psql "$server/new" -c "UPDATE pavilion SET version = 999"
! "$arena" bots --store "$server/new" 2>"$folder/err" || fail "a newer store was opened"
grep -q "was written by a newer arena (schema 999, this one knows $newest)" "$folder/err" ||
    fail "$(cat "$folder/err")"
