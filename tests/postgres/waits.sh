#!/bin/sh
# SPDX-License-Identifier: MIT
# What an open season waits for on PostgreSQL is told: by the log, the status, the metrics and the
# commands. A claim from a clock that went back blocks nobody for long, and a claim can be released.
. tests/postgres/begin.inc
export ARENA_STORE="$POSTGRES_TEST_URL"

# says STATE WORDS: the daemon's status, its log and `season show` say so of season spring
says()
{
    "$arena" status --json >"$folder/status" && "$arena" season show spring --json >"$folder/show" &&
        python3 - "$folder" "$1" "$2" <<'PYTHON'
import json, sys
folder, state, words = sys.argv[1:]
status = json.load(open(folder + "/status"))
seasons = {season["season"]: season for season in status["seasons"]}
shown = json.load(open(folder + "/show"))
logged = [line for line in map(json.loads, open(folder + "/log")) if line["name"] == "spring"]
metrics = open(folder + "/metrics").read()
sys.exit(not (seasons and seasons["spring"]["state"] == shown["state"] == state
              and words in seasons["spring"]["reason"] and words in shown["reason"]
              and words in logged[-1]["words"]
              and f'pavilion_season_state{{season="spring",state="{state}"}} 1\n' in metrics))
PYTHON
}

# waits STATE WORDS: until it says so
waits() { wait_until "never $1: $2: $(cat "$folder/status" 2>/dev/null)" "says $1 '$2' 2>/dev/null"; }

for bot in greedy random; do
    "$arena" submit "$build/bots/$bot" --check-games 1 >/dev/null
done
"$arena" season new spring --budget 60 --require full --pin >/dev/null
"$arena" serve --jobs 0 --json --metrics "$folder/metrics" >"$folder/log" 2>&1 &
daemon=$! children=$!

# ---- workers that cannot play it
waits no_worker "no worker is connected"
$psql -c "INSERT INTO worker (identity, role, version, name, host, processor, architecture, layers, tier, jobs, cores,
    playouts_per_s, started_us, seen_us) VALUES ('x', 'r', '1', 'weak', 'h', 'p', '$(uname -m)', 0, 1, 4, 2, 1, 1,
    now_us() + 3600000000)"
waits unfit "no worker has the sandbox that the season requires (--require)"
$psql -c "UPDATE worker SET tier = 3"
waits unfit "no worker has a core for each of its jobs, as the season requires (--pin)"
$psql -c "UPDATE worker SET jobs = 2"
waits played "and its workers"
$psql -c "UPDATE worker SET architecture = 'another'"
waits unfit "machine has the architecture of the daemon"
$psql -c "UPDATE worker SET architecture = '$(uname -m)'; INSERT INTO refusal (role, worker, season, game_group,
    rotation, words) SELECT 'r', worker.id, season.id, 0, 0, 'no' FROM worker, season, generate_series(1, 8)"
waits unfit "or too many of their games were refused"
$psql -c "DELETE FROM refusal"
waits played "and its workers"
$psql -c "INSERT INTO worker_order VALUES ('r', 'weak', FALSE, now_us(), 'sick')"
waits unfit "no worker gets games: they are set aside"
$psql -c "DELETE FROM worker_order"
waits played "and its workers"
[ "$(grep -c '"name":"spring"' "$folder/log")" = 9 ] || fail "a state is told more than once: $(cat "$folder/log")"

# ---- a clock that goes back: the owner who lives keeps its claim
$psql -c "UPDATE claim SET expires_at = now() + interval '1 hour'"
expect 2 "its claim on the season ends in [12]\?[0-9] s\|ends in 30 s" "$arena" season run spring
wait_until "the claim is not renewed" \
    '[ "$($psql -c "SELECT expires_at < now() + interval '"'1 minute'"' FROM claim")" = t ]'
says played "and its workers" || fail "the owner lost its claim"
! grep -q '"event":"error"' "$folder/log" || fail "$(cat "$folder/log")"

# ---- who does not come back: shown, and released
kill -KILL "$daemon"
wait "$daemon" || true
expect 0 "claimed by process $daemon of" "$arena" season claim spring
expect 2 "is being played by process $daemon" "$arena" season run spring
expect 0 "the claim of process $daemon of .* is released" "$arena" season claim spring --release
expect 0 "nobody has claimed the season" "$arena" season claim spring
expect 2 "nobody has claimed the season" "$arena" season claim spring --release
expect 0 "nobody plays the season" "$arena" season show spring
