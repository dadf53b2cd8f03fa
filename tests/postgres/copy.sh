#!/bin/sh
# A league moved from SQLite to PostgreSQL and back: everything is there as it was, and goes on.
set -eu
here=$(dirname "$0")
[ -n "${POSTGRES_TEST_URL-}" ] || exec sh "$here/with_server" sh "$0" "$@"
build=$1
arena=$build/bin/arena
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
psql="$POSTGRES_TEST_BIN/psql -qtA -d $POSTGRES_TEST_URL"
ARENA_HOME=$folder/home
export ARENA_HOME

fail()
{
    echo "FAILED: $1" >&2
    exit 1
}

# refused STATUS TEXT COMMAND...
refused()
{
    wanted=$1 text=$2
    shift 2
    status=0
    "$@" >"$folder/out" 2>"$folder/err" </dev/null || status=$?
    [ "$status" = "$wanted" ] || fail "$*: status $status, not $wanted: $(cat "$folder/err")"
    grep -q -- "$text" "$folder/err" || fail "$*: no '$text' but: $(cat "$folder/err")"
}

# A league with something in every table: two openings, a roster, bans, submissions, a pruned replay.
for bot in greedy random; do
    "$arena" submit "$build/bots/$bot" --check-games 1 >/dev/null
done
cp -r "$build/bots/greedy" "$folder/third"
sed -i 's/"name": *"[^"]*"/"name": "third"/' "$folder/third/bot.json"
"$arena" submit "$folder/third" --check-games 1 >/dev/null
sed -i 's/"version": *"[^"]*"/"version": "next"/' "$folder/third/bot.json"
"$arena" submit "$folder/third" --queue >/dev/null
"$arena" season new spring --players 2,3 --budget 12 --clock turn=4000,bank=20000 >/dev/null
"$arena" season run spring --games 6 --jobs 2 >/dev/null 2>&1
"$arena" season close spring >/dev/null 2>&1
"$arena" season reopen spring --budget 6 >/dev/null
"$arena" season roster spring --only greedy,third >/dev/null
"$arena" ban random >/dev/null
"$arena" season run spring --games 4 --jobs 2 >/dev/null 2>&1
"$arena" season new summer --budget 4 >/dev/null

# tell STORE NAME: all that can be said of it
tell()
{
    ARENA_STORE=$1
    export ARENA_STORE
    for said in bots submissions "season show spring" "season events spring" "season show summer" \
        "ladder spring" "games spring"; do
        "$arena" $said --json
    done >"$folder/$2"
    "$arena" store check --replays >>"$folder/$2"
    unset ARENA_STORE
}
league=sqlite:$ARENA_HOME
$psql -c "CREATE DATABASE copied"
copied=postgresql://postgres@127.0.0.1:$POSTGRES_TEST_PORT/copied
tell "$league" before
"$arena" store copy "$league" "$copied" >"$folder/there"
grep -q "^replay .* [1-9][0-9]* rows" "$folder/there" || fail "no replays were copied"
tell "$copied" there.told
cmp "$folder/before" "$folder/there.told" || fail "the copy in PostgreSQL is another league"
"$arena" store copy "$copied" "$folder/back" --json >"$folder/back.json"
tell "$folder/back" back.told
cmp "$folder/before" "$folder/back.told" || fail "the copy of the copy is another league"
# Counts and hashes are those of the rows, whichever store they lie in.
"$arena" store copy "$folder/back" "$folder/again" --json >"$folder/again.json"
for file in back again; do
    grep -o '"tables":.*' "$folder/$file.json" >"$folder/$file.tables"
done
cmp "$folder/back.tables" "$folder/again.tables" || fail "hashes depend on the kind of store"

# It goes on where it was: numbers follow, and games that were not played are.
ARENA_STORE=$copied
export ARENA_STORE
"$arena" submit "$folder/third" --queue --json | grep -q '"submission":2' ||
    fail "submissions do not go on counting"
"$arena" season roster spring --all >/dev/null
"$arena" season run spring --jobs 2 >/dev/null 2>&1 || fail "the copied season does not go on"
"$arena" store check --replays >/dev/null || fail "what was played in the copy is not sound"
unset ARENA_STORE

# The server's own backup, and back from it.
"$POSTGRES_TEST_BIN/pg_dump" -Fc -f "$folder/league.dump" "$copied"
$psql -c "CREATE DATABASE restored"
restored=postgresql://postgres@127.0.0.1:$POSTGRES_TEST_PORT/restored
"$POSTGRES_TEST_BIN/pg_restore" --no-owner -d "$restored" "$folder/league.dump"
tell "$copied" dumped
tell "$restored" restored
cmp "$folder/dumped" "$folder/restored" || fail "what was restored is another league"

# What cannot be copied is left alone.
refused 2 "is not empty (table package)" "$arena" store copy "$league" "$copied"
refused 2 "there is no store in" "$arena" store copy "$folder/nothing" "$folder/new"
[ ! -e "$folder/new" ] || fail "a target was made for nothing"
refused 2 "name two stores" "$arena" store copy "$league"

# Workers need no claim of a season: those that hold a group are a reason to refuse, and no other
# gets one while its season is copied, nor after it.
leases="$POSTGRES_TEST_BIN/psql -qtA -d $restored -c"
$leases "UPDATE season SET closed_us = NULL, dealt = true WHERE name = 'spring';
    UPDATE opening SET closed_us = NULL WHERE number = 1;
    UPDATE game_group SET lease_worker = 1, lease_token = 7, lease_until = clock_timestamp() + interval '1 h'
        WHERE number = 0 AND season = 1"
refused 2 "workers hold 1 groups of season spring" "$arena" store copy "$restored" "$folder/held"
$leases "UPDATE game_group SET lease_until = clock_timestamp() - interval '1 s' WHERE lease_worker = 1"
rm -rf "$folder/held"
"$arena" store copy "$restored" "$folder/held" >/dev/null || fail "lapsed leases keep a league from being copied"
[ "$($leases "SELECT count(*) FROM season WHERE dealt")" = 0 ] || fail "workers may still claim"
[ "$($leases "SELECT count(*) FROM game_group WHERE lease_worker IS NOT NULL")" = 0 ] ||
    fail "a lapsed lease would still be taken"

# A group that says it has no game, and has one, would never be played to its end.
$leases "UPDATE game_group SET done = 0 WHERE number = 0 AND season = 1"
! "$arena" store check --store "$restored" >"$folder/check" 2>&1 || fail "a group that hides a game passes"
grep -q "table game_group: column done tells of other games" "$folder/check" || fail "$(cat "$folder/check")"

# Every column of both schemas is one that is copied.
# (What a lease is made of belongs to a server.)
columns="SELECT table_name || '.' || column_name FROM information_schema.columns WHERE table_schema
 = 'public' AND table_name IN (SELECT unnest('{$(grep -o 'TABLE([a-z_]*, [0-9]' \
    arena/store/tables.c | sed 's/TABLE(//;s/,.*//' | paste -sd,)}'::text[])) AND is_generated =
 'NEVER' AND (table_name, column_name) NOT IN (('game_group', 'done'), ('game_group', 'lease_token'),
 ('game_group', 'lease_until'), ('game_group', 'lease_worker'), ('season', 'dealt'),
 ('worker', 'identity'))"
"$POSTGRES_TEST_BIN/psql" -qtA -d "$copied" -c "$columns" | sort >"$folder/columns.postgres"
python3 - "$ARENA_HOME/arena.db" >"$folder/columns.sqlite" <<'END'
import sqlite3, sys
store = sqlite3.connect(sys.argv[1])
names = [row[0] for row in store.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
for name in names:
    for column in store.execute(f"PRAGMA table_info({name})"):
        if not name.startswith("sqlite_") and (name, column[1]) != ("replay", "id"):
            print(f"{name}.{column[1]}")
END
sort -o "$folder/columns.sqlite" "$folder/columns.sqlite"
cmp "$folder/columns.sqlite" "$folder/columns.postgres" || {
    diff "$folder/columns.sqlite" "$folder/columns.postgres"
    fail "the schemas differ"
}
awk '/^static const struct store_column/ { table = $5; sub(/\[\]/, "", table) }
    { line = $0
      while (match(line, /(INT|BOOL|TEXT|BYTES)\("[a-z0-9_]*"\)/)) {
          name = substr(line, RSTART, RLENGTH); gsub(/.*\("|"\)/, "", name)
          print table "." name; line = substr(line, RSTART + RLENGTH) } }' arena/store/tables.c |
    sort >"$folder/columns.copied"
cmp "$folder/columns.copied" "$folder/columns.sqlite" || {
    diff "$folder/columns.copied" "$folder/columns.sqlite"
    fail "a column is not copied: arena/store/tables.c lacks it"
}
