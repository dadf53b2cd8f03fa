#!/bin/sh
# SPDX-License-Identifier: MIT
# A league moved from SQLite to PostgreSQL and back: everything is there as it was, and goes on.
. tests/postgres/begin.inc

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
    done | sed 's/,"idle_s":[0-9]*//' >"$folder/$2"
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
"$POSTGRES_TEST_BIN/pg_restore" --no-owner --single-transaction -d "$restored" "$folder/league.dump"
tell "$copied" dumped
tell "$restored" restored
cmp "$folder/dumped" "$folder/restored" || fail "what was restored is another league"

# A copy that was interrupted is refused everywhere, and so is a copy under way.
# start_waiting TABLE COMMAND...: starts a command of the arena on $copied; it waits for the table's lock
start_waiting()
{
    table=$1
    shift
    "$POSTGRES_TEST_BIN/psql" -q -d "$copied" -c "BEGIN" -c "LOCK TABLE $table" -c "SELECT pg_sleep(600)" 2>/dev/null &
    locks=$! children=$!
    waits="SELECT count(*) FROM pg_locks WHERE relation = '$table'::regclass AND mode"
    copied_sql="$POSTGRES_TEST_BIN/psql -qtA -d $copied -c"
    wait_until "the lock" '[ "$($copied_sql "$waits = '\''AccessExclusiveLock'\'' AND granted")" = 1 ]'
    "$arena" "$@" >"$folder/half.out" 2>&1 &
    waiting=$! children="$locks $!"
    wait_until "a command that waits for table $table" \
        '[ "$($copied_sql "$waits LIKE '\''Access%'\'' AND NOT granted")" = 1 ]'
}

kill_waiting()
{
    kill -KILL $waiting
    wait $waiting 2>/dev/null || true
    $psql -c "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE '%pg_sleep%'
        AND pid <> pg_backend_pid()" >/dev/null
    wait $locks || true
    $copied_sql "DELETE FROM claim" # it would end by itself, in half a minute
    children=
}

# interrupt TO: kills a copy of $copied into TO before it has read the first game
interrupt()
{
    start_waiting game store copy "$copied" "$1"
    expect 2 "is an incomplete copy of another store: wait for .arena store copy." "$arena" bots --store "$1"
    kill_waiting
}
$psql -c "CREATE DATABASE half"
for half in "sqlite:$folder/half" "postgresql://postgres@127.0.0.1:$POSTGRES_TEST_PORT/half"; do
    interrupt "$half"
    for command in "store check" "season list" "season run spring" "serve" "publish $folder/site"; do
        expect 2 "is an incomplete copy of another store" "$arena" $command --store "$half"
    done
    expect 1 "is an incomplete copy of another store" "$arena" doctor --store "$half"
    expect 2 "remove the copy and copy again" "$arena" store copy "$copied" "$half"
done
rm -r "$folder/half"
"$arena" store copy "$copied" "$folder/half" >/dev/null || fail "a copy after one that was interrupted"
tell "$folder/half" half.told
cmp "$folder/dumped" "$folder/half.told" || fail "the second copy is another league"

# Nor does half an export look like a whole one.
start_waiting replay export spring "$folder/exported" --store "$copied"
kill_waiting
expect 2 "" "$arena" rate "$folder/exported/games.csv"
[ -s "$folder/exported/games.csv.new" ] || fail "the export waited elsewhere: $(ls "$folder/exported")"
expect 2 "is not empty" "$arena" export spring "$folder/exported" --store "$copied"
rm -r "$folder/exported"
"$arena" export spring "$folder/exported" --store "$copied" >/dev/null
[ "$(ls "$folder/exported" | tr '\n' ' ')" = "games.csv history.csv replays " ] || fail "$(ls "$folder/exported")"

# Many rows are several pages and several COPY, by their number (games) and by their size (replays). A row that the
# server refuses ends the copy with its words.
"$build/bin/bench" crowd --games 5000 "$folder/crowd" >/dev/null
$psql -c "CREATE DATABASE crowd"
crowd=postgresql://postgres@127.0.0.1:$POSTGRES_TEST_PORT/crowd
"$arena" store copy "$folder/crowd" "$crowd" --json >"$folder/crowd.json"
"$arena" store copy "$crowd" "$folder/crowd.back" --json >"$folder/crowd.back.json"
for file in crowd crowd.back; do
    grep -o '"tables":.*' "$folder/$file.json" >"$folder/$file.tables"
done
cmp "$folder/crowd.tables" "$folder/crowd.back.tables" || fail "many rows are others after the copy"
"$POSTGRES_TEST_BIN/psql" -qtA -d "$crowd" -c "TRUNCATE package, bot, season, event CASCADE" \
    -c "ALTER TABLE replay ADD CONSTRAINT few CHECK (game_group < 1000)" 2>/dev/null
expect 1 "^arena: .*new row for relation \"replay\" violates check constraint \"few\"; the copy .* is incomplete: remove" "$arena" store copy "$folder/crowd" "$crowd"
[ "$("$POSTGRES_TEST_BIN/psql" -qtA -d "$crowd" -c "SELECT count(*) FROM replay")" = 0 ] || fail "some replays were kept"
expect 2 "is an incomplete copy of another store" "$arena" bots --store "$crowd"
rm -r "$folder/crowd" "$folder/crowd.back"

# What cannot be copied is left alone.
expect 2 "is not empty (table package)" "$arena" store copy "$league" "$copied"
expect 2 "there is no store in" "$arena" store copy "$folder/nothing" "$folder/new"
[ ! -e "$folder/new" ] || fail "a target was made for nothing"

# Workers need no claim of a season: those that hold a group are a reason to refuse, and no other
# gets one while its season is copied, nor after it.
leases="$POSTGRES_TEST_BIN/psql -qtA -d $restored -c"
$leases "UPDATE season SET closed_us = NULL WHERE name = 'spring';
    UPDATE opening SET closed_us = NULL WHERE number = 1;
    INSERT INTO worker (role, version, name, host, processor, architecture, layers, tier, jobs, cores, playouts_per_s,
        started_us, seen_us) VALUES ('r', '1', 'w', 'h', 'p', 'a', 0, 0, 1, 1, 1, 1, 1);
    INSERT INTO dealt_season VALUES (1, 'x86_64');
    INSERT INTO dealt_group (season, number, opening, due, seeds, worker, token, held_from, held_until)
        SELECT 1, 0, 1, 1, '', id, 7, clock_timestamp(), clock_timestamp() + interval '1 h' FROM worker"
expect 2 "workers play or delivered 1 groups of games of season spring that the daemon has not stored yet: end the workers, let .arena serve --jobs 0. store these games: stop the arena" "$arena" store copy "$restored" "$folder/held"
$leases "UPDATE dealt_group SET held_until = clock_timestamp() - interval '1 s'"
rm -rf "$folder/held"
"$arena" store copy "$restored" "$folder/held" >/dev/null || fail "lapsed leases keep a league from being copied"
[ "$($leases "SELECT count(*) FROM dealt_season")" = 0 ] || fail "workers may still claim"

# The schemas of both servers have the same columns. (What a lease is made of belongs to one.)
columns="SELECT table_name || '.' || column_name FROM information_schema.columns WHERE table_schema
 = 'public' AND table_name NOT IN ('claim', 'dealt_season', 'dealt_group', 'inbox', 'locked_group', 'offer', 'refusal', 'worker_order', 'worker_tally')"
"$POSTGRES_TEST_BIN/psql" -qtA -d "$copied" -c "$columns" | sort >"$folder/columns.postgres"
python3 - "$ARENA_HOME/arena.db" >"$folder/columns.sqlite" <<'END'
import sqlite3, sys
store = sqlite3.connect(sys.argv[1])
names = [row[0] for row in store.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
for name in names:
    for column in store.execute(f"PRAGMA table_info({name})"):
        if not name.startswith("sqlite_"):
            print(f"{name}.{column[1]}")
END
sort -o "$folder/columns.sqlite" "$folder/columns.sqlite"
cmp "$folder/columns.sqlite" "$folder/columns.postgres" || {
    diff "$folder/columns.sqlite" "$folder/columns.postgres"
    fail "the schemas differ"
}
