#!/bin/sh
# SPDX-License-Identifier: MIT
# Reference bots from end to end: they play, are shown and compared with, and hold no rank.
. tests/season/league.inc

# --- which bots are reference bots
bot ada 1 Ada; bot bob 1 Bob
for name in ada bob; do
    expect 0 "$name 1 is admitted: package" "$arena" submit --check-games 1 "$folder/$name"
done
expect 2 "cannot be combined" "$arena" submit random --reference --ranked
expect 2 "give a token" "$arena" submit --to http://127.0.0.1:9 --reference "$folder/ada"  # web.web hands one in
(cd "$folder" && expect 0 "is admitted as a reference bot, without a rank" "$arena" submit --check-games 1 steady)
expect 0 "random 1 is admitted: package" "$arena" submit --check-games 1 --ranked "$build/bots/random"
bot yardstick 1 Organizer
expect 0 "is admitted as a reference bot" "$arena" submit --check-games 1 --reference "$folder/yardstick"
expect 0 "steady .* plays, reference$" "$arena" bots --wide
expect 0 '"bot":"steady".*"reference":true' "$arena" bots --json

# --- a ladder ranks the others
expect 0 "is open" "$arena" season new spring --players 2 --board colored --budget 40 --clock turn=50,bank=500
expect 0 " of 40 in all" "$arena" season run spring --jobs 2
"$arena" ladder spring --csv >"$folder/ladder.csv"
python3 - "$folder/ladder.csv" <<'END' || fail "the ranks are wrong"
import csv, sys
rows = {row["bot"]: row for row in csv.DictReader(open(sys.argv[1]))}
for name in "steady", "yardstick":
    row = rows[name]
    assert row["reference"] == "yes" and row["rank_best"] == "" and int(row["games"]) > 0, row
    assert "reference" in row["flags"].split(), row
for name in "ada", "bob", "random":
    row = rows[name]
    assert row["reference"] == "" and 1 <= int(row["rank_best"]) <= int(row["rank_worst"]) <= 3, row
END
expect 0 "the mean of the 3 bots with a rank" "$arena" ladder spring
grep -q "^ *-  steady .* reference" "$folder/out" || fail "steady is not marked in the ladder"

# --- pages
expect 0 "" "$arena" publish "$folder/site"
grep -q 'class="lead"><strong class="tie">steady' "$folder/site/spring/index.html" && fail "a reference bot leads"
grep -q "A reference bot: others are compared with it" "$folder/site/spring/bot/steady.html" ||
    fail "the page of a reference bot does not say so"
grep -q "Rank <strong>" "$folder/site/spring/bot/steady.html" && fail "a reference bot has a rank on its page"

# --- promotion, retirement and the queue
expect 0 "is closed" "$arena" season close spring
expect 0 "ada" "$arena" season new upper --only spring:1..3
grep -q "steady\|yardstick" "$folder/out" && fail "a reference bot is promoted"
expect 2 "has only 3 ranks" "$arena" season new all --only spring:4
expect 0 "is retired" "$arena" retire yardstick
expect 0 "is submission 1" "$arena" submit --queue greedy

# --- in a league they play in every division, and take no place
expect 0 "is admitted" "$arena" submit --check-games 1 --ranked "$build/bots/lookahead"
expect 0 "is open\|division B: " "$arena" league new course --divisions A,B --places 2 --promote 1 --budget 4
grep -q "^season .* division .*steady" "$folder/out" && fail "a reference bot takes a place of a division"
expect 0 "steady" "$arena" season roster course-1-a
expect 0 "stays" "$arena" league show course
if grep -q "steady" "$folder/out"; then fail "a reference bot that has not played is told as a place"; fi
