#!/bin/sh
# A season for processors of one model (--same-cpu): the first to play it sets the model, whether that
# is `season run`, a daemon or a worker, and machines of another one do not play it.
. tests/postgres/begin.inc

# of STORE SQL: what it prints
of()
{
    case $1 in
    postgresql:*) "$POSTGRES_TEST_BIN/psql" -qtA -d "$1" -c "$2" ;;
    *) python3 -c 'import sqlite3, sys
with sqlite3.connect(sys.argv[1], timeout=30) as store:
    for row in store.execute(sys.argv[2]): print(*row)' "$folder/league/arena.db" "$2" ;;
    esac
}
games()
{
    "$arena" games cup --json | wc -l
}

for store in "sqlite:$folder/league" "$POSTGRES_TEST_URL"; do
    ARENA_STORE=$store
    export ARENA_STORE
    for bot in greedy random; do
        "$arena" submit "$build/bots/$bot" --check-games 1 >/dev/null || fail "submit $bot"
    done
    "$arena" season new cup --budget 40 --same-cpu --clock turn=4000,bank=20000 >/dev/null
    [ -z "$(of "$store" "SELECT processor FROM season")" ] || fail "a model before anybody played"
    "$arena" season run cup --games 2 >"$folder/run.log" 2>&1 || fail "season run"
    model=$(of "$store" "SELECT processor FROM season")
    [ -n "$model" ] || fail "season run does not set the model"
    "$arena" season run cup --games 2 >"$folder/run.log" 2>&1 || fail "season run of the same model"
    played=$(games)

    # Another machine's: refused, by the daemon as well.
    of "$store" "UPDATE season SET processor = 'of 1971'"
    status=0
    "$arena" season run cup --games 2 >"$folder/run.log" 2>&1 || status=$?
    [ "$status" = 2 ] && grep -qF "processors of one model only (--same-cpu), 'of 1971', and this machine has '$model'" \
        "$folder/run.log" || fail "season run on another model: status $status"
    # Without the log of the daemon before, the words below are from a daemon that runs. A signal sent
    # between the shell's fork and exec is lost: there the child still has the handler of `trap`.
    rm -f "$folder/serve.log"
    "$arena" serve --jobs 1 >"$folder/serve.log" 2>&1 &
    children=$!
    wait_until "the daemon does not say that it may not play" \
        "grep -qs \"'of 1971', and this machine has\" '$folder/serve.log'"
    kill "$children"
    wait "$children" || fail "the daemon does not end well"
    children=
    [ "$(games)" = "$played" ] || fail "a machine of another model played"
done

# Workers: none of another model plays; the first to claim sets it.
"$arena" serve --jobs 0 >"$folder/serve.log" 2>&1 &
served=$!
children=$served
"$arena" worker --name w --jobs 2 --lease 10 --cache "$folder/cache" --json >"$folder/worker.log" 2>&1 &
worker=$!
children="$served $worker"
asked="SELECT count(*) FROM worker, dealt_season WHERE seen_us > started_us + 2000000"
wait_until "no worker asks for work" '[ "$(of "$ARENA_STORE" "$asked")" = 1 ]'
[ "$(games)" = "$played" ] || fail "a worker of another model played"
of "$ARENA_STORE" "UPDATE season SET processor = ''"
wait_until "the worker plays nothing of a season without a model" '[ "$(games)" -ge $((played + 4)) ]'
[ "$(of "$ARENA_STORE" "SELECT processor FROM season")" = "$model" ] || fail "the worker does not set its model"
for process in $worker $served; do
    kill "$process"
    wait "$process" || fail "process $process did not end well"
done
children=
