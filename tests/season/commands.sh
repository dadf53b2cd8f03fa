#!/bin/sh
# SPDX-License-Identifier: MIT
# The commands of bots and seasons from end to end: what they print, refuse and promise.
. tests/season/league.inc

# --- nothing there yet
expect 2 "there is no store in" "$arena" bots
expect 2 "there is no store in" "$arena" ladder spring
[ ! -e "$ARENA_HOME" ] || fail "reading made a home"

# --- bots
bot ada 1 Ada; bot bob 1 Bob; bot cat 1 Cy
expect 0 "is admitted" "$arena" submit "$folder/ada"
expect 0 "^1 bot, 0 seasons, 0 games: sound" "$arena" store check
for name in bob cat; do
    expect 0 "is admitted" "$arena" submit "$folder/$name"
done
expect 2 "the parent folder is missing" "$arena" serve --site "$folder/none/web"
bot Eve 1 Eve
expect 2 '"name" must be' "$arena" submit "$folder/Eve"
bot eve "" Eve
expect 2 '"version" is missing' "$arena" submit "$folder/eve"
bot eve 1 ""
expect 2 '"author" is missing' "$arena" submit "$folder/eve"
bot eve 1 "$(printf 'E%.0s' $(seq 65))"
expect 2 "longer than 64" "$arena" submit "$folder/eve"
# A version that is there, and a name that is another's, are refused before anything is built.
bot bob 1 Bob
sed -i 's/"run"/"build": ["sleep", "60"], "run"/' "$folder/bob/bot.json"
expect 2 "already has a version 1" timeout 20 "$arena" submit "$folder/bob"
bot bob 2 Mallory
sed -i 's/"run"/"build": ["sleep", "60"], "run"/' "$folder/bob/bot.json"
expect 2 "bot bob belongs to Bob: choose another name" timeout 20 "$arena" submit "$folder/bob"
bot bob 2 Robert
expect 0 "taken over from another author" "$arena" submit "$folder/bob" --take-over
expect 2 "is not a number from 1" "$arena" submit "$folder/bob" --check-games 0
bot bob 3 Bob
expect 0 "taken over from another author" "$arena" submit "$folder/bob" --take-over --check-games 2
bot eve 1 Eve
expect 1 "/no/such/folder: cannot make a folder for copies of bots" env TMPDIR=/no/such/folder \
    "$arena" submit "$folder/eve"
bot eve 1 Eve
sed -i 's/"run"/"build": ["false"], "run"/' "$folder/eve/bot.json"
expect 2 "build failed" "$arena" submit "$folder/eve"
bot eve 1 Eve
printf '#!/bin/sh\nexit 3\n' >"$folder/eve/greedy"
expect 1 "is not admitted" "$arena" submit "$folder/eve"
grep -q "hello *FAIL$" "$folder/out" && grep -q "is out before the first turn: exit: the bot exited" "$folder/out" ||
    fail "the failed step is not told"
"$arena" bots >"$folder/bots" || fail "bots"
grep -q eve "$folder/bots" && fail "a refused bot was kept"
bot ada 2 Ada
expect 0 "in place of its previous version" "$arena" submit "$folder/ada"
expect 0 '"version":"2".*"newest":true' "$arena" bots --json
bot eve 1 Eve
sed -i 's/"run"/"build": ["cp", "greedy", "built"], "run"/; s#./greedy#./built#' "$folder/eve/bot.json"
expect 0 "is admitted" "$arena" submit "$folder/eve"
expect 0 "is retired" "$arena" retire cat

# --- seasons
expect 0 "secret until" "$arena" season new spring --budget 13 --board both
expect 0 "too small for the bots' first meetings, which take [0-9]* games with the" \
    "$arena" season new tiny --players 2,3,4 --budget 2
commitment=$("$arena" season show spring --json | sed 's/.*"commitment":"\([0-9a-f]*\)".*/\1/')
expect 0 '"seed":null,"secret":true' "$arena" season show spring --json
expect 0 "4 of 14 in all\|4 of 13 in all" "$arena" season run spring --games 3
expect 0 "14 of 14 in all" "$arena" season run spring --jobs 3
expect 0 "0 games played in this run, 14 of 14" "$arena" season run spring
expect 0 "is closed" "$arena" season close spring
seed=$("$arena" season show spring --json | sed 's/.*"seed":"\([0-9a-f]*\)".*/\1/')
python3 - "$seed" "$commitment" <<'END' || fail "the seed is not the one committed to"
import hashlib, sys
assert hashlib.sha256(bytes.fromhex(sys.argv[1])).hexdigest() == sys.argv[2]
END
expect 0 "budget 23" "$arena" season reopen spring --budget 10
expect 0 "24 of 24 in all" "$arena" season run spring
expect 0 "given by the organizer: not secret" "$arena" season new marked --seed 00000000000000000000000000000000
expect 0 '"seasons":\[{"season":"spring"' "$arena" season list --json

# --- dates that no season can keep
expect 2 "2027-02-30: the month has no such day" "$arena" season new dated --until 2027-02-30
expect 2 "2026-11-31T12:00Z: the month has no such day" "$arena" season new dated --until 2026-11-31T12:00Z
expect 2 "until is past; choose a later time" "$arena" season new dated --until 2025-12-31
expect 2 "from [0-9T:Z-]* is not before --until 20[0-9T:Z-]*; choose" "$arena" season new dated --from 2099-02-01 --until 2099-01-01
expect 2 "deadline 20[0-9T:Z-]* is after --until 20[0-9T:Z-]*; choose" "$arena" season new dated --deadline 2099-02-01 --until 2099-01-01
expect 2 "deadline is past, and no bot was submitted before it; choose" "$arena" season new dated --deadline 2025-12-31
expect 2 "there is no season dated" "$arena" season show dated
expect 0 "no further bot can enter" "$arena" season new dated --from "$(date -u +%FT%TZ)" \
    --deadline "$(date -u +%FT%TZ)" --until 2099-02-28

expect 0 "plays it once it has begun" "$arena" season new later --from 2099-01-01
grep -q "^from  *2099-01-01 00:00:00" "$folder/out" || fail "a new season does not tell its dates"
expect 0 "is closed" "$arena" season close later
expect 0 "is removed" "$arena" season remove later

# --- names of authors that look like other names, and a ban of nobody
expect 0 "is author 1" "$arena" author new ada
expect 2 "has a blank at its beginning or end" "$arena" author new "ada "
expect 2 "without control characters" "$arena" author new "$(printf 'a\tb')"
expect 2 "must be 1 to 64 bytes" "$arena" author new "$(printf '%065d' 0)"
expect 2 "has an invisible character" "$arena" author new "$(printf 'ad\342\200\213a')"
expect 2 "more than one in a row" "$arena" author new "$(printf 'ad\302\240a')"
expect 2 "there is already an author Ada" "$arena" author new Ada
expect 0 "is author 2" "$arena" author new "Zoë B"
expect 2 "there is already an author Ada" "$arena" author rename "Zoë B" ADA
expect 0 "is now Ada" "$arena" author rename ada Ada
expect 0 "no author has the name adda yet" "$arena" ban --author adda
expect 0 "no longer banned" "$arena" ban --author adda --lift

# --- tables that cannot be seated: two authors at a table of three
expect 0 "is open" "$arena" season new three --players 3 --budget 6
expect 0 "6 of 6 in all" "$arena" season run three
expect 0 "is retired" "$arena" retire eve
expect 0 "is open" "$arena" season new none --players 3,4
expect 2 "has too few bots" "$arena" season run none
expect 0 "is open" "$arena" season new some --players 2,4 --budget 20
expect 0 "no games with 4 players" "$arena" season run some

# --- what was played
expect 0 "ada" "$arena" ladder spring
expect 0 "results that chance does not explain" "$arena" ladder spring --cross
expect 0 "whichever is larger" "$arena" ladder --help
expect 0 "id of a season's game" "$arena" explain --help
expect 2 "no games with this number of players" "$arena" ladder spring --players 4
expect 2 "cannot be combined" "$arena" ladder spring --json --csv
expect 0 "spring-0000.*ada" "$arena" games spring --bot ada
"$arena" games spring | grep " ada " >"$folder/with-ada"
"$arena" games spring --bot ada | diff - "$folder/with-ada" || fail "games --bot ada"
expect 0 "24 replays" "$arena" export spring "$folder/export"
for replay in "$folder"/export/replays/*; do
    "$arena" replay "$replay" --verify >/dev/null || fail "$replay does not verify"
done
head -1 "$folder/export/games.csv" | grep -qx "game,group,player,seat,rank,score,reason,us,previous" ||
    fail "the columns of games.csv"

# --- the ladder is what anybody computes from the exported games
"$arena" ladder spring --json >"$folder/ladder.json"
"$arena" ladder spring --final --json >"$folder/final.json"
cmp -s "$folder/ladder.json" "$folder/final.json" || fail "--final is another list than none"
"$arena" rate "$folder/export/games.csv" --json >"$folder/rate.json"
"$arena" ladder spring --live --json >"$folder/live.json"
"$arena" rate "$folder/export/games.csv" --live --json >"$folder/rate-live.json"
"$arena" games spring --json >"$folder/games.jsonl"
python3 - "$folder" "$seed" <<'END' || fail "ladder and rate disagree"
import json, sys
def load(name):
    return json.load(open(f"{sys.argv[1]}/{name}"))
final = ["rank_best", "rank_worst", "official_place", "bot", "version", "author", "language", "reference",
         "elo", "error95", "live", "change", "day_place", "day_elo", "gain", "gain_error95", "games",
         "groups", "score", "los_next", "places", "shared", "opponents", "ms", "forfeits", "provisional",
         "probation", "flags"]
live = [key for key in final if key not in ("error95", "los_next", "official_place")]
live[live.index("live")], live[live.index("elo")] = "elo", "live"
for ladder, rate, column, anchor, keys in (("ladder.json", "rate.json", "elo", 1500, final),
                                           ("live.json", "rate-live.json", "live", 0, live)):
    shown, computed = load(ladder), {bot["bot"]: bot for bot in load(rate)["bots"]}
    assert list(shown) == ["season", "list", "games", "groups", "mean", "rows"]
    ranked = [row[column] for row in shown["rows"] if row["rank_best"]]
    assert ranked == sorted(ranked, reverse=True)
    assert abs(shown["mean"] - sum(ranked) / len(ranked)) < 2e-6, "the mean of numbers rounded one by one"
    assert shown["games"] == 24 and shown["groups"] == 12
    for row in shown["rows"]:
        assert list(row) == keys, row
        bot = computed[row["bot"]]
        assert abs(row[column] - bot["elo"] - anchor) < 1e-5, (row, bot)
        assert row.get("error95") == bot.get("error95") or abs(row["error95"] - bot["error95"]) < 1e-5
        assert (row["rank_best"] is None) == ("retired" in row["flags"]), "who left holds no rank"
        assert row["games"] == bot["games"] and abs(row["score"] - bot["score"]) < 1e-5
    assert shown["rows"][-1].get("los_next") is None
import csv
last = {row["player"]: float(row["elo"])
        for row in csv.DictReader(open(f"{sys.argv[1]}/export/history.csv"))}
for row in load("live.json")["rows"]:
    assert abs(last[row["bot"]] - row["live"]) < 1e-3, "a history ends where the list stands"
games = [json.loads(line) for line in open(f"{sys.argv[1]}/games.jsonl")]
assert len(games) == 24 and {game["board"] for game in games} == {"colored", "gray"}
for first, second in zip(games[::2], games[1::2]):
    assert first["group"] == second["group"] and first["bots"] == second["bots"][::-1]
assert len({game["seed"] for game in games}) == 24, "every game has draws of its own"
import hashlib, hmac
for game in games:
    assert game["opening"] == (0 if game["group"] < 7 else 1), game
    if game["opening"] == 0:
        says = "group %d game %d" % (game["group"], int(game["match"][-1]))
        assert hmac.new(bytes.fromhex(sys.argv[2]), says.encode(),
                        hashlib.sha256).hexdigest()[:32] == game["seed"], game
END

# --- a season is played by one process at a time
expect 0 "is open" "$arena" season new twice --budget 100000
"$arena" season run twice >/dev/null &
runner=$!
wait_until "no games of season twice" '"$arena" games twice --json | grep -q match'
expect 2 "is being played by process $runner" "$arena" season run twice
kill -INT $runner
wait $runner || fail "an interrupted run did not exit with 0"
expect 0 "plays on" "$arena" season run twice --games 1

# --- a second Ctrl-C gives up the games under way, here of a bot that never answers there
cp -r "$build/bots/greedy-python" "$folder/sleeps"
sed -i 's/^        if message\["type"\] == "hello":/&\n            while message["match"].startswith("slow-"):\n                pass/' \
    "$folder/sleeps/greedy.py"
sed -i 's/"greedy-python"/"sleeps"/' "$folder/sleeps/bot.json"
expect 0 "is admitted" "$arena" submit "$folder/sleeps"
expect 0 "is open" "$arena" season new slow --clock start=60000
"$arena" season run slow --jobs 8 >"$folder/slow" &
runner=$!
wait_until "no bots of season slow" 'pgrep -P $runner -f greedy.py >"$folder/bots"'
kill -INT $runner
sleep 0.5
kill -0 $runner || fail "the first Ctrl-C did not wait for the games under way"
kill -INT $runner
began=$(date +%s)
wait $runner || fail "a run that gave up its games did not exit with 0"
[ $(($(date +%s) - began)) -le 40 ] || fail "the second Ctrl-C waited" # for 60 s, were it the first
grep -q "plays on" "$folder/slow" || fail "it does not say how to go on"
expect 0 "is retired" "$arena" retire sleeps

# --- replays by id, and the command that a forfeit's record gives
expect 0 "all legal" "$arena" replay spring-000000-0 --verify
# a bot that passes the checks and leaves where a season's name tells it to
cp -r "$build/bots/greedy-python" "$folder/quits"
sed -i 's/^        if message\["type"\] == "hello":/&\n            if message["match"].startswith("quitters-"):\n                sys.exit(3)/' \
    "$folder/quits/greedy.py"
sed -i 's/"greedy-python"/"quits"/; s/"1"/"1 a"/' "$folder/quits/bot.json"
expect 0 "is admitted" "$arena" submit "$folder/quits"
expect 0 "is open" "$arena" season new quitters --budget 12
expect 0 "12 of 12" "$arena" season run quitters --jobs 2
expect 0 "exit" "$arena" ladder quitters
"$arena" games quitters --reason exit --json | head -1 >"$folder/forfeit"
python3 - "$folder/forfeit" >"$folder/again" <<'END'
import json, sys
print(next(f["command"] for f in json.load(open(sys.argv[1]))["forfeits"] if f))
END
expect 0 "exit" sh "$folder/again"
