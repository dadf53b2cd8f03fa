#!/bin/sh
# SPDX-License-Identifier: MIT
# One small season on SQLite and on PostgreSQL: submitted, played in pieces, closed, shown, exported,
# published. Apart from times everything is the same, byte for byte.
. tests/postgres/begin.inc
seed=0102030405060708090a0b0c0d0e0f10

# bot NAME BASE
bot()
{
    cp -r "$build/bots/$2" "$folder/$1"
    cat >"$folder/$1/bot.json" <<END
{"name": "$1", "version": "1", "author": "author of $1", "language": "C", "run": ["./$2"]}
END
}
bot ada greedy
bot bob greedy
bot cat random

# The role that owns a league, with a password, over TCP: nothing may print it.
$psql -c "CREATE ROLE league LOGIN PASSWORD 'sec%ret'" -c "CREATE DATABASE league OWNER league"
server=127.0.0.1:$POSTGRES_TEST_PORT

# league NAME URL: the whole course
league()
{
    told=$folder/$1
    mkdir "$told"
    ARENA_HOME=$folder/home-$1 ARENA_STORE=$2
    export ARENA_HOME ARENA_STORE
    for bot in ada bob cat; do
        "$arena" submit "$folder/$bot" --check-games 1 >>"$told/run.out" 2>&1
    done
    "$arena" season new spring --seed $seed --players 2,3 --board both --budget 36 \
        --clock turn=4000,bank=20000 >"$told/new" 2>&1
    "$arena" season run spring --games 12 --jobs 2 >>"$told/run.out" 2>&1
    "$arena" retire cat >>"$told/run.out"
    "$arena" season extend spring --budget 8 >>"$told/run.out"
    "$arena" season run spring --jobs 2 >>"$told/run.out" 2>&1
    "$arena" season close spring >>"$told/run.out" 2>&1
    "$arena" bots --json >"$told/bots"
    "$arena" season show spring --json >"$told/show"
    "$arena" season events spring --json >"$told/events"
    "$arena" ladder spring --json >"$told/ladder"
    "$arena" ladder spring >"$told/ladder.txt"
    "$arena" games spring --json >"$told/games"
    "$arena" export spring "$told/export" >>"$told/run.out"
    "$arena" replay spring-000002-0 >"$told/replay.txt"
    "$arena" publish "$told/site" >>"$told/run.out" 2>&1
    "$arena" store check --replays >"$told/check"
}

course="sqlite postgres"
league sqlite "sqlite:$folder/store"
league postgres "postgresql://league:sec%25ret@$server/league"

# What a clock has a say in is taken out.
plain()
{
    sed -E ':a;N;$!ba;s/\n {8}/ /g' "$1" | # wrapped lines: where depends on the times in them
        sed -E 's/"(time|started|created|closing|closed|opened|submitted|retired)":"[^"]*"/"\1":0/g
            s/"(us|ms)":(\[[^]]*\]|\{[^}]*\})/"\1":0/g
            s/"(wall_us|delay_us)":[0-9]+/"\1":0/g
            s/[0-9.]+ m?s//g' 
}
for file in bots show events ladder games replay.txt check; do
    for name in sqlite postgres; do
        plain "$folder/$name/$file" >"$folder/$name/$file.plain"
        [ -s "$folder/$name/$file.plain" ] || fail "$name/$file is empty"
    done
    cmp "$folder/sqlite/$file.plain" "$folder/postgres/$file.plain" || {
        diff "$folder/sqlite/$file.plain" "$folder/postgres/$file.plain" | head -n 20 | cut -c 1-2000
        fail "$file differs"
    }
done
cmp "$folder/sqlite/export/history.csv" "$folder/postgres/export/history.csv" ||
    fail "the ratings' history differs"
grep -q "44 games, 44 replays: sound" "$folder/postgres/check" || fail "not all games were played"
! grep -rqF -e "sec%" "$folder/postgres/" || fail "a password was printed"

# Several processes open one that is new at the same time, and one makes it.
$psql -c "CREATE DATABASE fresh OWNER league"
ARENA_STORE=postgresql://league:sec%25ret@$server/fresh
for i in 1 2 3 4 5 6; do
    "$arena" season new season$i >"$folder/fresh$i" 2>&1 &
done
wait
[ "$("$arena" season list --json | grep -o '"season":' | wc -l)" = 6 ] || {
    cat "$folder"/fresh?
    fail "six processes that open a new store make six seasons"
}

# One that meets another's type before its table tries again. (The type goes a moment later.)
met=
for i in 1 2 3; do
    $psql -c "CREATE DATABASE half$i OWNER league"
    ARENA_STORE=postgresql://league:sec%25ret@$server/half$i
    half="$POSTGRES_TEST_BIN/psql -qtA -d $ARENA_STORE"
    $half -c "CREATE TYPE pavilion AS ENUM ()"
    $half -c "SELECT pg_sleep(0.4)" -c "DROP TYPE pavilion" >/dev/null &
    ! "$arena" season new late >"$folder/half" 2>&1 || met=1
    wait
    [ -z "$met" ] || break
done
[ -n "$met" ] || { cat "$folder/half"; fail "a store that another process makes is waited for"; }

# ---- what goes wrong is told in one line, without the password, with a status

# refused STATUS TEXT COMMAND...
refused()
{
    expect "$@"
    ! cat "$folder/out" "$folder/err" | grep -qF -e "sec" || fail "$*: a password was printed"
}
refused 2 "there is no store in postgresql://postgres@127.0.0.1:.*/postgres: " \
    "$arena" bots --store "postgresql://postgres:sec@$server/postgres"
refused 1 "cannot connect: .*refused" "$arena" bots --store postgresql://league:sec@127.0.0.1:9/league
refused 1 "cannot connect: .*does not exist" \
    "$arena" bots --store "postgresql://league:sec@$server/nothing"
refused 2 "cannot be read: write postgresql://" \
    "$arena" bots --store "postgresql://league:sec@[::1/league"
refused 2 "unknown kind of store" "$arena" bots --store "mysql://league:sec@127.0.0.1/league"
refused 1 "pg_dump" "$arena" store backup "$folder/copy" --store "postgres://league:sec@$server/league"
