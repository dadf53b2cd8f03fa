#!/bin/sh
# SPDX-License-Identifier: MIT
# What an organizer changes while `season run` runs in another process, from end to end.
. tests/season/league.inc

games()
{
    "$arena" games "$1" >"$folder/games" || fail "games $1"
    wc -l <"$folder/games"
}

# wait_for SEASON COUNT: until so many games are played
wait_for()
{
    wait_until "$1 did not come to $2 games" "[ \"\$(games $1)\" -ge $2 ]"
}

# begin SEASON: runs it in the background
begin()
{
    "$arena" season run "$1" --jobs 2 >"$folder/run" 2>&1 &
    runner=$!
}

end()
{
    wait $runner || fail "the run of $1: status $? $(cat "$folder/run")"
    runner=
}

# admit NAME AUTHOR
admit()
{
    bot "$1" 1 "$2"
    expect 0 "is admitted" "$arena" submit "$folder/$1"
}

admit ada Ada; admit bob Bob; admit cat Cy

# --- closed while it runs: no game is kept after the seed is told
expect 0 "is open" "$arena" season new spring --budget 100000
begin spring
wait_for spring 5
expect 0 "is closed" "$arena" season close spring
played=$(games spring)
end spring
grep -q "the season was closed" "$folder/run" || fail "the run does not say why it ended: $(cat "$folder/run")"
[ "$(games spring)" = "$played" ] || fail "games were kept after the seed was told"
expect 2 "is closed" "$arena" season run spring
expect 0 "open again" "$arena" season reopen spring
expect 0 "plays on" "$arena" season run spring --games 5
[ "$(games spring)" -gt "$played" ] || fail "a season that was closed and reopened does not play on"

# --- closed at once: what is under way is void, and played again under the next seed
begin spring
wait_for spring $(($(games spring) + 3))
expect 0 "is closed" "$arena" season close spring --wait 0
played=$(games spring)
end spring
[ "$(games spring)" = "$played" ] || fail "a void game was kept"
expect 0 "open again" "$arena" season reopen spring
expect 0 "plays on" "$arena" season run spring --games 4

# stopped_and_closing: the run of autumn is stopped while a close waits for it. A run that was
# stopped while it wrote keeps the store locked: then the close gives up, and it is tried again.
stopped_and_closing()
{
    for i in $(seq 20); do
        kill -STOP $runner
        "$arena" season close autumn --wait 300 >"$folder/out" 2>"$folder/err" &
        closer=$!
        while kill -0 $closer 2>/dev/null; do
            "$arena" season show autumn 2>/dev/null | grep -q "being closed" && return
            sleep 0.1
        done
        wait $closer && fail "it did not wait"
        grep -q "is locked by another process: try again" "$folder/err" || fail "it did not wait"
        kill -CONT $runner
        sleep 0.1
    done
    fail "stopped while it writes, 20 times over"
}

# --- a run that is stopped in mid-close leaves a season that can be closed or go on
expect 0 "is open" "$arena" season new autumn --budget 100000
begin autumn
wait_for autumn 2
stopped_and_closing
kill -KILL $closer || fail "it did not wait"
wait $closer 2>/dev/null || true
expect 0 "being closed" "$arena" season show autumn
expect 0 '"seed":null' "$arena" season show autumn --json
kill -CONT $runner
end autumn
expect 2 "is being closed" "$arena" season run autumn
expect 0 "open again" "$arena" season reopen autumn
expect 0 "plays on" "$arena" season run autumn --games 2
expect 0 "is closed" "$arena" season close autumn

# --- a budget that is raised while it runs
expect 0 "is open" "$arena" season new short --budget 8
begin short
expect 2 "add fewer games" "$arena" season extend short --until 2099-01-01 --budget 1000000000
grep -q "new dates" "$folder/out" && fail "extend tells dates that it does not keep"
expect 0 '"until":null' "$arena" season show short --json
expect 0 "budget 28 games" "$arena" season extend short --budget 20
end short
expect 0 "28 of 28" "$arena" season run short
expect 0 "is closed" "$arena" season close short
expect 2 "season short is closed" "$arena" season extend short --budget 2
expect 2 "season short is closed: .arena season reopen" "$arena" season extend short --deadline 2100-01-01
expect 2 "season short is closed: .arena season reopen" "$arena" season roster short --only cat

# --- what the terms mean, at the rate of a season that was played
expect 0 "at the rate of season short, [0-9]* games an hour, the budget is spent in [0-9]* .* if the bots are as fast as those of that hour: after that" \
    "$arena" season new spent --budget 3000 --until 2099-01-01
expect 0 "about [0-9]* of 100000000 games are played before --until" \
    "$arena" season extend spent --budget 99997000 --until "$(date -d '+1 hour' +%FT%T)"
expect 0 "^reason *nobody plays the season" "$arena" season show spent
expect 0 '"state":"idle".*"left":100000000' "$arena" season show spent --json
expect 0 "is closed" "$arena" season close spent
estimate='"estimate":{"season":"short","games_an_hour":[0-9]*,"estimate_s":[0-9]*}'
expect 0 "^{.*\"budget\":1000,.*\"created\":null,.*\"opening_games\":null,$estimate}\$" \
    "$arena" season new told --dry-run --json
expect 0 "nothing was created" "$arena" season new told --dry-run
expect 0 "$estimate" "$arena" season new told --json
expect 0 "is closed" "$arena" season close told
expect 0 "" "$arena" season remove told

# --- who plays, changed while it runs
expect 0 "is open" "$arena" season new summer --budget 100000
begin summer
wait_for summer 12
expect 0 "is retired" "$arena" retire cat
admit eve Eve
expect 0 "is banned" "$arena" ban --author Bob
wait_for summer $(($(games summer) + 60))
tail -12 "$folder/games" >"$folder/last"
grep -q eve "$folder/last" || fail "who came does not play: $(cat "$folder/last")"
grep -q 'cat\|bob' "$folder/last" && fail "who left plays: $(cat "$folder/last")"
expect 0 "plays again" "$arena" retire cat --undo
expect 0 "is no longer banned" "$arena" ban --author Bob --lift
expect 0 "bob, cat take part" "$arena" season roster summer --only cat,bob
grep -q 'before, every bot took part: `arena season roster summer --all` restores that' "$folder/out" || fail "an unnoticed roster"
expect 0 'before, 2 bots took part: `arena season roster summer --only bob,cat` restores that' \
    "$arena" season roster summer --only ada,cat
expect 0 "bob, cat take part" "$arena" season roster summer --only bob,cat
expect 0 "process $runner" "$arena" season claim summer
expect 2 "is being played by process $runner: the claim ends with that process" "$arena" season claim summer --release
wait_for summer $(($(games summer) + 60))
tail -12 "$folder/games" >"$folder/last"
grep -q 'ada\|eve' "$folder/last" && fail "who is not on the roster plays: $(cat "$folder/last")"
grep -q 'cat.*bob\|bob.*cat' "$folder/last" || fail "the roster does not play"
expect 0 "every bot takes part" "$arena" season roster summer --all
expect 2 "bot ada is chosen twice" "$arena" season roster summer --only ada,bob,ada
expect 0 "is closed" "$arena" season close summer
end summer
expect 2 "season summer is closed: .arena season reopen summer." "$arena" season roster summer --only ada
expect 0 "every bot takes part" "$arena" season roster summer
expect 2 "is not banned" "$arena" ban bob --lift
expect 0 "unban.*author Bob" "$arena" season events summer
expect 0 '"batches":\[{"batch":0,"opening":0' "$arena" season events summer --json

# --- games that count for nobody, until the ban is lifted
"$arena" ladder summer --csv >"$folder/before"
expect 0 "no longer count" "$arena" ban cat --void
"$arena" ladder summer --csv >"$folder/voided"
cmp -s "$folder/before" "$folder/voided" && fail "voided games count"
expect 0 '"void":true' "$arena" games summer --bot cat --json
expect 0 "replays" "$arena" export summer "$folder/export"
grep -q "cat" "$folder/export/games.csv" && fail "voided games are exported"
expect 0 "banned, games void" "$arena" bots
expect 0 "is no longer banned" "$arena" ban cat --lift
"$arena" ladder summer --csv | cmp - "$folder/before" || fail "a lifted ban left something"

# --- how bots are run is a term of the season
expect 0 '"memory_mib":100,"freeze":false,"pin":true,"require":"full"' "$arena" season new terms \
    --memory 100 --no-freeze --pin --require full --authors free --json
expect 0 '"authors":"free".*"memory_mib":100,"freeze":false,"pin":true,"require":"full"' \
    "$arena" season show terms --json
expect 0 '"pin":false' "$arena" season new plain --json --budget 2
expect 0 "2 of 2 in all" "$arena" season run plain

# --- lists: seasons of some bots, named or taken from the ranks of a closed season
expect 2 "season plain is open, so its ranks may change" "$arena" season new up --only plain:1
expect 0 "is closed" "$arena" season close plain
ranked=$("$arena" ladder plain --json | python3 -c 'import json, sys
print(*[row["bot"] for row in json.load(sys.stdin)["rows"] if row["rank_best"]])')
set -- $ranked
expect 2 "season plain has only $# ranks" "$arena" season new up --only plain:9
expect 2 "'plain:2..1' is neither a bot nor ranks" "$arena" season new up --only plain:2..1
expect 2 "there is no season winter" "$arena" season new up --only winter:1
expect 2 "there is no bot nobody" "$arena" season new up --only plain:1..2,nobody
expect 2 "there is no season up" "$arena" season show up
expect 0 '"season":"up","division":null' "$arena" season new up --only plain:2..99 --json
expect 0 "budget 1000 games" "$arena" season events up
for name in "$@"; do
    status=0
    "$arena" season roster up | grep -qw "$name" || status=1
    [ $status -eq "$([ "$name" = "$1" ] && echo 1 || echo 0)" ] || fail "the roster of up: $name"
done
expect 2 "bot $1 is chosen twice" "$arena" season roster up --only "plain:1..2,$1"
expect 0 "^season up: [a-z]*, [a-z]* take part" "$arena" season roster up --only plain:1..2
two=$(printf '%s\n' "$1" "$2" | sort | paste -sd, | sed 's/,/, /') # told by name, not by rank
expect 0 "^season tops: $two take part" "$arena" season new tops --only plain:1..2
expect 0 "^season tops: $2 takes part" "$arena" season roster tops --remove "$1"
expect 0 "^season tops: $two take part" "$arena" season roster tops --add "$1"
expect 2 "bot $1 is chosen twice" "$arena" season roster tops --add "$1"
expect 2 "bot ${3:-nobody} is not on the list" "$arena" season roster tops --remove "${3:-nobody}"
expect 2 "nobody would be left" "$arena" season roster tops --remove "$1,$2"
"$arena" publish "$folder/web" >/dev/null
