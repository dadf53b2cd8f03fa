#!/bin/sh
# SPDX-License-Identifier: MIT
# `arena serve`: plays open seasons side by side, sees new ones at once, is alone on its home, tells
# how it stands, ends in order, and is taken up again after SIGKILL with nothing lost or doubled.
. tests/begin.inc

# start [OPTION ...]: a daemon in the background, running.
start() {
    "$arena" serve --json "$@" >>"$folder/log" 2>&1 &
    daemon=$! children=$!
    wait_for 'running'
}

# wait_for NAME: until the status has it, at most a minute.
wait_for() {
    for _ in $(seq 300); do
        ! "$arena" status --json >"$folder/status" 2>/dev/null || ! is "$1" || return 0
        sleep 0.2
    done
    fail "never: $1: $(cat "$folder/status")"
}

is() {
    python3 - "$folder/status" "$1" <<'PYTHON'
import json, sys

status = json.load(open(sys.argv[1]))
for key in ("running", "pid", "since", "games", "games_per_s", "jobs", "queue", "longest_hold_us",
            "disk_free_bytes", "seasons", "errors"):
    assert key in status, key
seasons = {season["season"]: season for season in status["seasons"]}
done = {name for name, season in seasons.items()
        if season["games"] >= season["budget"] and not season["running"]}
holds = {
    "running": status["running"],
    "both begun": all(seasons.get(name, {}).get("games", 0) > 0 for name in ("one", "two")),
    "both done": done >= {"one", "two"},
    "three done": "three" in done,
}[sys.argv[2]]
sys.exit(0 if holds else 1)
PYTHON
}

status=0
"$arena" submit "$build/bots/random" >/dev/null
"$arena" submit "$build/bots/greedy" >/dev/null
"$arena" status --json >"$folder/status" || status=$?
[ "$status" -eq 1 ] && grep -q '"running":false' "$folder/status" || fail "no daemon: $status"

"$arena" season new one --budget 20 >/dev/null
"$arena" season new two --budget 20 >/dev/null
start --jobs 2 --metrics "$folder/metrics"
status=0
[ "$(stat -c %a "$ARENA_HOME/serve.lock")" = 600 ] || fail "others could hold the daemon's lock"
"$arena" serve >"$folder/out" 2>&1 || status=$?
[ "$status" -eq 2 ] && grep -q 'another .arena serve. runs on this home' "$folder/out" ||
    fail "a second daemon: $status: $(cat "$folder/out")"
# Nothing but a site is replaced: that is told at once, and nothing beside it is removed.
mkdir "$folder/full" "$folder/full.new-7"
echo mine >"$folder/full/diary"
status=0
"$arena" serve --home "$folder/other" --program "$folder/none.tar.gz" >"$folder/out" 2>&1 || status=$?
[ $status = 2 ] && grep -q "program $folder/none.tar.gz: No such file" "$folder/out" || fail "a program that is not there is no reason to refuse"
status=0
"$arena" serve --home "$folder/other" --site "$folder/full" >"$folder/out" 2>&1 || status=$?
[ "$status" -eq 2 ] && grep -q 'full: is a folder with files other than a published site' "$folder/out" &&
    [ -d "$folder/full.new-7" ] || fail "a folder in the site's place: $status: $(cat "$folder/out")"
for option in metrics desk; do
    status=0
    "$arena" serve "--$option" "$folder/nodir/x" >"$folder/out" 2>&1 || status=$?
    [ "$status" -eq 2 ] && grep -q "$option $folder/nodir/x: the parent folder is missing" "$folder/out" ||
        fail "--$option: $status: $(cat "$folder/out")"
done
wait_for 'both begun'

# SIGKILL, and on from there.
kill -9 $daemon
wait $daemon 2>/dev/null || true
status=0
"$arena" status >/dev/null || status=$?
[ "$status" -eq 1 ] || fail 'a killed daemon is told as running'
start --jobs 2 --metrics "$folder/metrics"
wait_for 'both done'
"$arena" season new three --budget 8 >/dev/null # seen without a restart
wait_for 'three done'
# Submissions: one that is fit, one whose build fails, one that exits after 3 s.
mkdir "$folder/unbuilt"
echo '{"name": "unbuilt", "version": "1", "author": "Ann", "language": "sh", "run": ["./a"],
       "build": ["false"]}' >"$folder/unbuilt/bot.json"
mkdir "$folder/slow"
echo '{"name": "slow", "version": "1", "author": "Eve", "run": ["sleep", "3"]}' \
    >"$folder/slow/bot.json"
fit=$("$arena" submit --queue --json "$build/bots/lookahead" | tr -dc 0-9)
slow=$("$arena" submit --queue --json "$folder/slow" | tr -dc 0-9)
unbuilt=$("$arena" submit --queue --json "$folder/unbuilt" | tr -dc 0-9)
for _ in $(seq 600); do
    "$arena" submissions --json >"$folder/submissions"
    [ "$(grep -c '"state":"\(admitted\|refused\)"' "$folder/submissions")" -lt 3 ] || break
    sleep 0.2
done
python3 - "$folder/submissions" "$fit" "$unbuilt" "$slow" <<'PYTHON'
import datetime, json, sys

rows = {row["submission"]: row for row in map(json.loads, open(sys.argv[1]))}
fit, unbuilt, slow = (rows[int(number)] for number in sys.argv[2:])
assert fit["state"] == "admitted" and fit["report"]["fit"], fit
assert fit["received"] <= fit["building"] <= fit["checking"] <= fit["ended"], fit
assert unbuilt["state"] == "refused" and "build" in unbuilt["report"]["reason"], unbuilt
checking, ended = (datetime.datetime.fromisoformat(slow[key][:19]) for key in ("checking", "ended"))
assert (ended - checking).total_seconds() >= 2, f"{slow}: it was building while it was checked"
PYTHON
"$arena" bots | grep -q '^lookahead ' || fail 'an admitted bot is not listed'

grep -q '^pavilion_season_games{season="three"} 8$' "$folder/metrics" || fail 'metrics'

kill -TERM $daemon
status=0
wait $daemon || status=$?
[ "$status" -eq 0 ] || fail "told to stop: $status"
for season in one two three; do
    "$arena" games "$season" --json >"$folder/games"
    python3 - "$folder/games" <<'PYTHON'
import json, sys

text = open(sys.argv[1]).read()
rows = [json.loads(line) for line in text.splitlines()]
games = rows[0]["games"] if len(rows) == 1 and "games" in rows[0] else rows
ids = [game["match"] for game in games]
assert len(ids) == len(set(ids)) and len(ids) in (8, 20), ids
PYTHON
done
python3 - "$folder/log" <<'PYTHON'
import json, sys

events = [json.loads(line)["event"] for line in open(sys.argv[1])]
assert events.count("started") == 2 and events[-1] == "stopped", events
assert "error" not in events, events
PYTHON
