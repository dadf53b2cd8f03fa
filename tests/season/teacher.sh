#!/bin/sh
# SPDX-License-Identifier: MIT
# What a teacher needs, from end to end: accounts from a list, marks, sources, copies, and an answer to
# "I was treated unfairly".
. tests/season/league.inc

# --- accounts from a list: all of them, or none
list="$folder/list.csv"
tokens="$folder/tokens.csv"
import()
{
    "$arena" author import "$list" --tokens "$tokens" "$@"
}
printf 'author,student\n' >"$list"
expect 2 "list.csv: line 2: the list has no account" import
printf 'name,student\nAda,1\n' >"$list"
expect 2 "line 1: column 'name' is neither author nor student" import
printf 'student\n1\n' >"$list"
expect 2 "line 1: the first line must name the columns: author,student" import
printf 'author,student\nAda,1\n\nBob\n' >"$list"
expect 2 "line 4: 1 field, but the first line has 2" import
printf 'author,student\nAda,1\n"Bob,2\n' >"$list"
expect 2 "line 3: a quote is not closed" import
printf 'author,student\nAda,1\nBob,1\n' >"$list"
expect 2 "line 3: line 2 has the same student number, 1" import
printf 'author,student\nAda,1\nada,2\n' >"$list"
expect 2 "line 3: .*looks alike" import
printf 'author,student\nAda,1\n,2\n' >"$list"
expect 2 "line 3: the author has no name" import
[ ! -e "$tokens" ] || fail "a refused list left a file of tokens"
expect 0 "is author 1" "$arena" author new Cy --student 77
printf '\357\273\277Student;Author\r\n"=12";Ada\r\n\r\n 34 ;"Bob"\r\n77;Dora\r\n' >"$list"
expect 2 "line 5: author Cy already has the student number 77" import
expect 0 "^Cy  *author-1$" "$arena" author list
[ "$(wc -l <"$folder/out")" = 1 ] || fail "a refused list left accounts"
sed -i 's/^77/78/' "$list"
: >"$tokens"
expect 2 "tokens.csv: File exists: name a new file" import
rm "$tokens"
expect 0 "3 authors made: their tokens are in" import --expires 200
[ "$(stat -c %a "$tokens")" = 600 ] || fail "others can read the tokens"
[ "$(cut -d, -f1,2 "$tokens" | tr '\n' ' ')" = "author,student Ada,=12 Bob,34 Dora,78 " ] || fail "the tokens' file"
[ "$(sed -n 's/.*,\(arena_[0-9a-f]\{64\}\)$/\1/p' "$tokens" | sort -u | wc -l)" = 3 ] || fail "tokens"
expect 0 '"state":"valid"' "$arena" author list --json
grep -q '=12\|"78"' "$folder/out" && fail "a student number is not private"
expect 0 "Dora has no student number" "$arena" author student Dora
expect 2 "author Ada already has the student number =12" "$arena" author student Dora =12

# --- a copy under another name: who was first
for name in ada bob cat; do bot $name 1 $name; done
sed -i 's/"author": "ada"/"author": "Ada"/' "$folder/ada/bot.json"
sed -i 's/"author": "bob"/"author": "Bob"/' "$folder/bob/bot.json"
echo "Ada's own work" >"$folder/ada/notes.txt"
cp "$folder/ada/notes.txt" "$folder/bob/"
expect 0 "ada 1 is admitted" "$arena" submit --check-games 1 "$folder/ada"
grep -q "same files" "$folder/out" && fail "the first of two copies is called a copy"
expect 0 "bob 1 has the same files as ada 1 by Ada, submitted first" "$arena" submit --check-games 1 "$folder/bob"
expect 0 "is admitted" "$arena" submit --check-games 1 "$folder/cat"
expect 0 "is admitted as a reference bot" "$arena" submit --check-games 1 random
expect 0 "bob .*plays, same files as ada 1 by Ada" "$arena" bots --wide
expect 0 '"bot":"bob".*"same_as":"ada 1 by Ada"' "$arena" bots --json

# --- marks
expect 0 "is open" "$arena" season new spring --players 2 --board colored --budget 24 --clock turn=200,bank=1000
expect 0 "24 of 24 in all" "$arena" season run spring --jobs 2
expect 0 "is retired" "$arena" retire cat
"$arena" ladder spring --marks >"$folder/marks.csv"
python3 - "$folder/marks.csv" <<'END' || fail "the marks are wrong"
import csv, sys
rows = {row["author"]: row for row in csv.DictReader(open(sys.argv[1]))}
assert set(rows) == {"Ada", "Bob", "cat", "Cy", "Dora"}, rows
assert rows["Ada"]["student"] == "'=12" and rows["Bob"]["student"] == "34", rows
assert all(rows[name]["state"] == "plays" and int(rows[name]["rank_worst"]) <= 2 for name in ("Ada", "Bob")), rows
assert rows["cat"]["state"] == "retired" and rows["cat"]["rank_best"] == "" and int(rows["cat"]["games"]) > 0, rows
assert rows["Cy"] == dict(rows["Cy"], student="77", bot="", state="no bot", games="0"), rows
END
expect 2 "cannot be combined" "$arena" ladder spring --marks --csv
expect 0 "" "$arena" publish "$folder/site"
grep -rqi "duplicate\|same_hash\|same files" "$folder/site" --include='*.html' --include='*.json' --include='*.csv' \
    --exclude-dir=docs --exclude=openapi.json &&
    fail "a page tells of a copy"

# --- sources
bot ada 2 Ada
printf 'int main;\n' >"$folder/ada/main.c"
sed -i 's/"run"/"build": ["cp", "greedy", "built"], "run"/; s#./greedy#./built#' "$folder/ada/bot.json"
expect 0 "is admitted" "$arena" submit --check-games 1 "$folder/ada"
expect 0 "ada 2 by Ada, as it was submitted" "$arena" bots fetch ada "$folder/ada2"
[ "$(cat "$folder/ada2/main.c")" = "int main;" ] && [ ! -e "$folder/ada2/built" ] || fail "the source of ada 2"
expect 0 "ada 1 by Ada" "$arena" bots fetch ada@1 "$folder/ada1"
cmp "$folder/ada1/notes.txt" "$folder/bob/notes.txt" || fail "the source of ada 1"
expect 2 "already exists: name another folder" "$arena" bots fetch ada@1 "$folder/ada2"
[ -e "$folder/ada2/main.c" ] || fail "a folder was overwritten"
expect 2 "no bot ada of version 3" "$arena" bots fetch ada@3 "$folder/none"
expect 2 "name one bot and a new folder" "$arena" bots fetch ada
expect 2 "unknown command 'fetsch'; did you mean 'arena bots fetch'" "$arena" bots fetsch ada
expect 0 "3 bots of season spring" "$arena" bots fetch --season spring "$folder/all"
[ "$(ls "$folder/all" | tr '\n' ' ')" = "ada bob cat " ] && [ ! -e "$folder/all/ada/main.c" ] ||
    fail "the last versions of a season"
expect 2 "File exists: name a new folder" "$arena" bots fetch --season spring "$folder/all"

# --- treated unfairly?
game=$("$arena" games spring --bot ada --json | head -1 | sed 's/.*"match":"\([^"]*\)".*/\1/')
expect 0 "^machine: [0-9]* core.*games\? of the arena ran" "$arena" explain "$game"
grep -q "computed [0-9.]* ms of that" "$folder/out" || fail "what the bots computed is not told"
[ "$(grep -c "treated unfairly: " "$folder/out")" = 2 ] || fail "not a verdict for each seat"
expect 0 "seat 1: " "$arena" explain "$game" 1
grep -q "^seat 0: " "$folder/out" && fail "another seat is told"
expect 2 "has no such seat" "$arena" explain "$game" 3
expect 2 "not the id of a game" "$arena" explain nothing
expect 2 "there is no game spring-000900-0" "$arena" explain spring-000900-0

# --- days of the week across a change of the clocks, which this zone has in two days
python3 - "$arena" <<'END' || fail "a day of the week is at the wrong time"
import json, os, subprocess, sys, time
day = 86400
while True:
    now = time.time()
    yday = [time.gmtime(now + days * day).tm_yday - 1 for days in (2, 100)]
    os.environ["TZ"] = "AAA0BBB-1,%d/2,%d/2" % tuple(yday)  # summer begins in two days
    time.tzset()
    today = time.localtime(now)
    at = lambda days, hour: time.mktime((today.tm_year, today.tm_mon, today.tm_mday + days, hour, 0, 0, 0, 0, -1))
    name = lambda days: time.strftime("%a", time.localtime(at(days, 12))).upper()
    date = lambda days: time.strftime("%Y-%m-%d", time.localtime(at(days, 12)))
    rows = ((("--until", name(3) + "T18:00"), at(3, 18)), (("--until", name(3)), at(4, 0)),
            (("--until", date(3)), at(4, 0)),
            (("--from", date(2), "--until", name(1) + "T18:00"), at(8, 18)))
    told = [json.loads(subprocess.check_output([sys.argv[1], "season", "new", f"summer{now:.0f}-{i}", *dates, "--json"])) for i, (dates, _) in enumerate(rows)]
    if time.localtime().tm_mday == today.tm_mday:
        break
assert at(3, 18) - at(1, 18) == 2 * day - 3600
for (dates, until), season in zip(rows, told):
    assert season["until"] == time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(until)), (dates, until, season)
END

# --- what a season by dates may come to is no budget
expect 0 "is open" "$arena" season new dated --until "$(date -d 'now + 2 days' +%F)"
expect 0 "^games at most " "$arena" season show dated
grep -q "^budget" "$folder/out" && fail "a season by dates has a budget"

# --- who has no line with a bot: for which reason. An organizer's account has no line.
for name in Olga Eve cat; do expect 0 "is author" "$arena" author new $name; done
expect 0 "^arena_" "$arena" author token Olga --scope organizer
expect 0 "is open" "$arena" season new listed --only ada --budget 2
expect 0 "is banned" "$arena" ban cat
sleep 1
expect 0 "is open" "$arena" season new timely --budget 2 --deadline "$(date -u +%FT%TZ)"
sleep 1
bot eve 1 Eve
expect 0 "is admitted" "$arena" submit --check-games 1 "$folder/eve"
"$arena" ladder listed --marks >"$folder/listed.csv"
"$arena" ladder timely --marks >"$folder/timely.csv"
python3 - "$folder/listed.csv" "$folder/timely.csv" <<'END' || fail "the marks do not say why somebody has no bot"
import csv, sys
listed, timely = ({row["author"]: row["state"] for row in csv.DictReader(open(path))} for path in sys.argv[1:])
assert listed == {"Ada": "no games", "Bob": "not in this season", "cat": "banned", "Cy": "no bot", "Dora": "no bot", "Eve": "not in this season"}, listed
assert timely == {"Ada": "no games", "Bob": "no games", "cat": "banned", "Cy": "no bot", "Dora": "no bot", "Eve": "late"}, timely
END
:
