#!/bin/sh
# SPDX-License-Identifier: MIT
# A league: its rounds move the best of a division up and the last of the one above down; only listed bots
# enter; its page and a season that was void are told.
. tests/begin.inc
set +e
cd "$folder"
# bot NAME: a bot by an author of that name, admitted.
bot() {
    cp -r "$build/bots/random" "$1"
    printf '{"name": "%s", "version": "1", "author": "%s", "language": "C", "run": ["./random"]}' "$1" "$1" \
        >"$1/bot.json"
    "$arena" submit "$1" >out || fail "$1: not admitted"
}
# members ROUND: each division's bots, sorted, from the rosters of that round.
members() {
    for division in a b; do
        "$arena" season roster "course-$1-$division" | sed 's/^season [^:]*: //; s/ takes\{0,1\} part$//'
    done
}
for name in ant bee cat dog; do bot $name; done

expect 2 "name the divisions and their places" "$arena" league new course --divisions A,B
expect 2 "is not a list of 1 to 16 different names" "$arena" league new course --divisions A,A --places 2
expect 0 "^left out: cat, dog: .* in division A" "$arena" league new course --divisions A --places 2 --only ant,bee --dry-run
expect 2 "division C would have 0 bots" "$arena" league new course --divisions A,B,C --places 2
expect 2 "more than half of the 2 places" "$arena" league new course --divisions A,B --places 2 --promote 2
expect 0 "nothing was created" "$arena" league new course --divisions A,B --places 2 --dry-run
expect 0 "no leagues yet" "$arena" league list
expect 0 "season course-1-b, division B: cat, dog" \
    "$arena" league new course --divisions A,B --places 2 --promote 1 --budget 4 --clock turn=5000
expect 2 'round 1 is open, .*: .arena season close course-1-a && arena season close course-1-b. closes it' "$arena" league next course
# A bot may be in two divisions of a round, but whoever adds it is told.
"$arena" season roster course-1-a --add cat >out 2>err || fail "roster --add"
grep -q "^cat is in division B of this round, too: .arena season roster course-1-b --remove cat. takes it out there$" err ||
    fail "the other division is not told: $(cat err)"
"$arena" season roster course-1-a --remove cat >out 2>err && [ ! -s err ] || fail "roster --remove: $(cat err)"
# Before the first game nobody goes up or down.
expect 0 "^A  *bee  *stays" "$arena" league show course
grep -q "^league course, round 1: if it ended now" out || fail "a round that goes on"
"$arena" publish web >out || fail "publish"
grep -q "No game is finished yet" web/league/course.html || fail "the page of a round without games"
for season in course-1-a course-1-b; do
    "$arena" season run $season >out || fail "$season: not run"
    "$arena" season close $season >out || fail "$season: not closed"
done
falls=$("$arena" ladder course-1-a --json | python3 -c 'import json, sys
print(json.load(sys.stdin)["rows"][-1]["bot"])')
rises=$("$arena" ladder course-1-b --json | python3 -c 'import json, sys
print(json.load(sys.stdin)["rows"][0]["bot"])')
expect 0 "\"bot\":\"$falls\",\"rank_range\":\[[0-9,]*\],\"move\":\"falls\"" "$arena" league show course --json
expect 0 "^B  *$rises .* rises" "$arena" league show course
grep -q "^league course, round 1: as it ended" out || fail "a round that has ended"

# Who is new begins in the last division of the next round, and of the one that is played hears that it has a list.
expect 0 "^all divisions: each bot plays" "$arena" league next course --dry-run --games-a-day 40 --from 2100-01-01 --until 2100-01-03
[ "$(grep -c ": each bot plays" out)" = 1 ] || fail "each division is estimated as if the machine played it alone"
expect 0 "round 2" "$arena" league next course
bot eel
grep -q "waits for games: it begins in division B in the next round of league course: .arena" out || fail "eel: $(cat out)"
members 2 >two
head -1 two | grep -q "$rises" && tail -1 two | grep -q "$falls" || fail "round 2: $(cat two)"
"$arena" publish web >out || fail "publish"
grep -q "Division A" web/league/course.html && grep -q 'league/course.html' web/index.html || fail "no page"
grep -q 'href="../league/course.html">Division A' web/course-2-a/index.html || fail "no way from a division to its league"
grep -q "takes only the bots on its list" web/index.html || fail "a list is not told"
for season in course-2-a course-2-b; do
    "$arena" season run $season >out && "$arena" season close $season >out || fail "$season"
done
"$arena" publish web >out || fail "publish"
grep -q "Season course-2-a is closed" web/index.html || fail "the home page does not show the first division"
"$arena" author new Nobody --student 7 >out || fail "no account"
"$arena" league show course --marks >marks || fail "no marks of a league"
python3 - "$(head -1 two)" "$(tail -1 two)" <<'END' || fail "the marks of a league: $(cat marks)"
import csv, sys
rows = {row["author"]: row for row in csv.DictReader(open("marks"))}
for division, names in zip("AB", sys.argv[1:]):
    assert all(rows.pop(name)["division"] == division for name in names.split(", ")), rows
assert list(rows) == ["Nobody"] and rows["Nobody"]["student"] == "7" and rows["Nobody"]["division"] == "", rows
END
expect 0 "division B: .*eel" "$arena" league next course
expect 0 "eel is retired" "$arena" retire eel
expect 0 "course" "$arena" league show course
grep -q " eel " out && fail "a retired bot has a place of the round"

# A season that was a mistake.
expect 2 "season course-3-a is open: close the season first" "$arena" season void course-3-a
expect 0 "is void" "$arena" season void course-1-a
"$arena" publish web >out || fail "publish"
grep -q "Season course-1-a is void" web/course-1-a/index.html || fail "a void season's address does not say so"
ls web/course-1-a | grep -v '^index.html' && fail "a void season has pages"
grep -rq "Season course-1-a is void" web/author || fail "authors are not told"
expect 2 "season course-1-a is void" "$arena" season new other --only course-1-a:1
expect 0 "counts again" "$arena" season void course-1-a --undo
