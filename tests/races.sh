#!/bin/sh
# SPDX-License-Identifier: MIT
# races.sh: looks for data races with ThreadSanitizer, in the preset `thread`, which it builds: matches side by side, a
# season, a daemon with its web process that admits, plays, publishes and answers, workers, and two daemons on one store.
# Each report is a fault, but for what tests/races.supp names with its reason. Minutes. (Criterion's programs do not
# run with ThreadSanitizer: they map memory where it has its own.)
set -eu
cmake --preset thread >/dev/null
cmake --build build/thread -- bots/all arena hostile programs_of_scripts >/dev/null
arena=build/thread/bin/arena
bots=build/thread/bots
folder=$(mktemp -d)
chmod 755 "$folder" # the web process is another user
daemon=
trap '[ -z "$daemon" ] || kill $daemon; rm -rf "$folder"' EXIT
export ARENA_HOME="$folder/home" TMPDIR="$folder/tmp"
export TSAN_OPTIONS="halt_on_error=0:history_size=7:log_path=$folder/race:suppressions=$PWD/tests/races.supp:exitcode=0"
mkdir -m 700 "$ARENA_HOME" "$TMPDIR"
mkdir "$folder/web"

# step WORDS COMMAND...: runs a command and counts the reports that it added
reports=0 faults=0
step()
{
    words=$1
    shift
    status=0
    "$@" >"$folder/out" 2>&1 </dev/null || status=$?
    told "$words" $status
}
told()
{
    count=$(cat "$folder"/race.* "$folder/daemon" 2>/dev/null | grep -c '^WARNING: ThreadSanitizer' || true)
    echo "$1: status $2, $((count - reports)) reports"
    [ "$2" = 0 ] && [ "$count" = "$reports" ] || faults=$((faults + 1))
    [ "$2" = 0 ] || tail -n 20 "$folder/out"
    reports=$count
}

step "matches, 3 jobs" "$arena" match --games=12 --jobs=3 "$bots/random" "$bots/greedy" "$bots/lookahead"
step "matches, frozen" "$arena" match --games=4 --jobs=2 --freeze "$bots/random" "$bots/greedy"
for bot in random greedy; do
    step "submit $bot" "$arena" submit --check-games=1 "$bots/$bot"
done
step "season new" "$arena" season new one --budget=24
step "season run" "$arena" season run one --jobs=3
step "season new" "$arena" season new two --budget=40
step "submit lookahead" "$arena" submit --queue "$bots/lookahead"

# The web process may create no file: it reports to its standard error, without names (addr2line tells them).
port=$((20000 + $$ % 20000))
TSAN_OPTIONS="$TSAN_OPTIONS:log_path=stderr" "$arena" serve --site "$folder/web/site" --every 1 --web "127.0.0.1:$port" >"$folder/daemon" 2>&1 &
daemon=$!
tries=0
while kill -0 $daemon 2>/dev/null && [ $tries -lt 600 ] && ! "$arena" season show two | grep -q '^left *0 games'; do
    asking= # all at once, so that several threads answer
    for path in / /two/ /api/v1/seasons /api/v1/seasons/two/ladder /api/v1/seasons/two/games /api/v1/live /kits/c.zip /status; do
        curl -s -m 20 -o /dev/null --compressed "http://127.0.0.1:$port$path" &
        asking="$asking $!"
    done
    for asked in $asking; do
        wait "$asked" || true
    done
    tries=$((tries + 1))
done
kill $daemon || true
status=0
wait $daemon || status=$?
daemon=
cp "$folder/daemon" "$folder/out"
[ $tries -lt 600 ] || status="the season did not end"
told "daemon with web, asked $tries times" "$status"

unset ARENA_HOME
step "workers" sh tests/postgres/with_server python3 tests/worker/season.py build/thread --short
step "two daemons" sh tests/postgres/with_server python3 tests/worker/daemons.py build/thread --short
cat "$folder"/race.* "$folder/daemon" 2>/dev/null | sed -n 's/^SUMMARY: ThreadSanitizer: //p' | sort | uniq -c | sort -rn
cat "$folder"/race.* "$folder/daemon" >build/thread/races.log 2>/dev/null || true
[ "$faults" = 0 ] || { echo "$faults faults: build/thread/races.log"; exit 1; }
