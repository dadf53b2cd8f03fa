#!/bin/sh
# SPDX-License-Identifier: MIT
# What a daemon's admission of one submission holds to: each of its bounds, and none where none is
# given. $1 is the build folder.
. tests/begin.inc
cd "$folder"
count=0

# bot NAME AUTHOR [BUILD]: the greedy bot under that name, in the queue.
bot() {
    cp -r "$build/bots/greedy" "$1"
    printf '{"name": "%s", "version": "1", "author": "%s", "run": ["./greedy"]%s}' "$1" "$2" \
        "${3:+, \"build\": $3}" >"$1/bot.json"
    "$arena" submit --queue "$1" >/dev/null
    count=$((count + 1))
}

# expect WORDS BOUND...: how the newest submission ends with these bounds.
expect() {
    words=$1
    shift
    "$arena" admit "$@" $count >out 2>err || fail "$*: status $?"
    grep -q "$words" out || fail "$*: no '$words'"
}

bot ant Ada
expect "ant 1 is admitted"
bot bee Ada
expect "bee 1 is refused: .*1 package" --packages-a-day 1
bot cat Ada
expect "cat 1 is refused: its author has 1 bot in play, and may have 1: submit this as a new version" --bots-an-author 1
# What the arena refused wrongly is judged again, in its old place.
"$arena" submissions retry 2 >out 2>err && grep -q "submission 2 is in the queue again" out || fail "retry"
"$arena" admit --packages-a-day 2 2 >out 2>err && grep -q "bee 1 is admitted" out || fail "bee, again"
"$arena" submissions retry 2 >out 2>err && fail "bee, a third time"
grep -q "submission 2 is not refused, and does not wait: it is admitted" err || fail "why not"
"$arena" submissions --author Ada >out && grep -q "^   3 .* cat " out || fail "the submissions of Ada: $(cat out)"
grep -A1 "^   3 " out | grep -q "^      its author has 1 bot in play" || fail "the list does not say why cat is refused"
"$arena" submissions --author Bob >out && grep -q "^no submissions of Bob" out || fail "the submissions of Bob: $(cat out)"
"$arena" events >out && grep -q " retry  *submission 2 " out || fail "who retried: $(cat out)"
# The organizer ends what would be built for ever: also while it is built, and the author is told.
bot ewe Ada '["sleep", "3000"]'
"$arena" admit $count >out 2>err &
admission=$!
until "$arena" submissions $count | grep -q "building *20"; do :; done
"$arena" submissions cancel $count | grep -q "submission $count is cancelled, and its author is told" || fail "cancel"
kill $admission # as the daemon does
wait $admission || :
"$arena" submissions $count | grep -q "reason *cancelled by the organizer" || fail "cancel: the report"
"$arena" events >out && grep -q " cancel  *submission $count " out || fail "who cancelled: $(cat out)"
"$arena" submissions cancel $count >out 2>err && fail "cancel, again"
grep -q "submission $count has already ended" err || fail "cancel, again: why"
"$arena" submissions cancel >out 2>err && fail "cancel nothing"
"$arena" retire bee >out
bot dog Ada
expect "dog 1 is refused: the package has [0-9]* bytes, the limit is 1000" --package-bytes 1000
bot eel Ada '["sleep", "100"]'
expect "eel 1 is refused: .*the build .*longer than 1 s" --build-seconds 1
bot fox Ada '["sleep", "1"]'
expect "fox 1 is admitted" --packages-a-day 7 --bots-an-author 2 --package-bytes 100000000 \
    --build-seconds 100 --check-seconds 100

# If memory runs out, the kernel kills the build of a submission before a season's bots, whose score is 300.
bot emu Ada '["sh", "-c", "cat /proc/self/oom_score_adj; exit 3"]'
expect "emu 1 is refused: .*the build exited with 3: \(700\|1000\)\\\\n"

# The report of a build that fails has its lines that name errors, and no file that its author cannot open.
bot elk Eve '["sh", "-c", "echo one; echo bot.c:3: error: no such thing; echo more; exit 2"]'
expect "elk 1 is refused: .*build failed: the build exited with 2"
"$arena" submissions $count >out
grep -q 'bot.c:3: error: no such thing' out && ! grep -q 'one\|/tmp' out || fail "the report of a failed build"

# A bot that thinks long gets a shorter clock, so that its check ends in time.
mkdir gnu
cat >gnu/bot.json <<'JSON'
{"name": "gnu", "version": "1", "author": "Bob", "run": ["python3", "bot.py"]}
JSON
cat >gnu/bot.py <<'PYTHON'
import msgpack, os, time
unpacker = msgpack.Unpacker(raw=False)
while data := os.read(0, 65536):
    unpacker.feed(data)
    for message in unpacker:
        if message["type"] == "hello":
            os.write(1, msgpack.packb({"type": "ready"}))
        elif message["type"] == "turn":
            time.sleep(0.02)
            os.write(1, msgpack.packb({"type": "act", "turn": message["turn"], "action": 0}))
PYTHON
"$arena" submit --queue gnu >/dev/null
count=$((count + 1))
"$arena" admit --check-seconds 2 $count >out 2>err || fail "gnu"
"$arena" submissions --json >out
python3 - <<'PYTHON' || fail "reports"
import json
rows = {}
for line in open("out"):
    row = json.loads(line)
    rows[row["bot"]] = row
for name in "ant", "fox", "gnu":
    report = rows[name]["report"]
    assert report["clock_shortened"] == (name == "gnu"), (name, report)
for name in "cat", "dog", "eel":
    assert rows[name]["report"]["reason"], rows[name]
PYTHON
# One that has ended is not told again: a daemon may see it late.
"$arena" admit $count >out 2>err && [ ! -s out ] && [ ! -s err ] || fail "gnu, once more"

# What cannot be kept is refused at once, rather than tried for ever, and is not checked: hog is not fit.
bot hog Cid '["sh", "-c", "echo \"#!/bin/sh\" >greedy; truncate -s 280000000 hog"]'
expect 'hog 1 is refused: .*the files that the bot.s build made have more than 128 MiB: name .* in bot.json, as in "keep"'
bot hen Cid '["truncate", "-s", "2000000", "hen"]'
expect "hen 1 is refused: .*the files that the bot's build made have more than 1 MiB: " --built-bytes 1048576
bot hare Cid '["sh", "-c", "mkdir -p a/b; truncate -s 280000000 hare a/big; touch a/b/c"], "keep": ["greedy", "a/b"]'
expect "hare 1 is admitted"

# What it builds is built now, whatever a check has left in the cache, and is not left there.
[ ! -e "$ARENA_HOME/cache" ] || fail "an admission leaves its build in the cache"
bot ibex Dan '["sh", "-c", "date +%s%N >when"]'
"$arena" check --quick ibex >/dev/null 2>&1 || :
cached=$(find "$ARENA_HOME/cache/builds" -name when -newer ibex/bot.json)
[ -f "$cached" ] || fail "nothing in the cache"
stamp=$(cat "$cached")
expect "ibex 1 is admitted"
python3 - "$ARENA_HOME" "$stamp" <<'PYTHON' || fail "its build is that of the cache"
import os, sqlite3, sys
home, stamp = sys.argv[1:]
db = sqlite3.connect(home + "/arena.db")
(built,) = db.execute("SELECT built_sha256 FROM bot WHERE name = 'ibex'").fetchone()
(package,) = db.execute("SELECT bytes FROM package WHERE sha256 = ?", (built,)).fetchone()
assert b"when" in package and stamp.encode() not in package
PYTHON

# A bot that is admitted where no season has games left is told so, in the queue and without.
"$arena" season new cup --budget 2 >out && "$arena" season run cup >out 2>err || fail "season"
bot jay Joy
expect "jay 1 is admitted, but the bot waits for games: season cup is open and has spent its budget"
"$arena" submissions $count >out
grep -q 'waits for games: season cup is open and has spent its budget' out || fail "jay: not in the report"
grep -q '^  seasons ' out && fail "jay: the seasons are told twice, and differ"
"$arena" retire jay >out
sed 's/jay/kea/' jay/bot.json >kea.json && mkdir kea && cp jay/greedy kea && mv kea.json kea/bot.json
"$arena" submit kea >out 2>err && grep -q 'the bot waits for games: season cup is open and has spent its budget: `arena season extend`' out || fail "kea"
sleep 1 # the deadline is of a whole second, and kea 1 was there before
"$arena" season extend cup --budget 9 --deadline "$(date +%FT%T)" >out
bot late Joy
expect "late 1 is admitted, but the bot waits for games: the deadline of season cup is past\$"
sed 's/jay/kea/; s/"version": "1"/"version": "2"/' jay/bot.json >kea/bot.json
"$arena" submit --queue kea >out
count=$((count + 1))
expect "kea 2 is admitted, but the bot waits for games: the deadline of season cup is past: version 1 plays on there\$"
"$arena" season new later >out
sed -i 's/"version": "2"/"version": "3"/' kea/bot.json
"$arena" submit --queue kea >out
count=$((count + 1))
expect "kea 3 is admitted, does not enter season cup, whose deadline is past: version 1 plays on there\$"
bot tardy Joy
expect "tardy 1 is admitted, does not enter season cup, whose deadline is past\$"
"$arena" season close later >out && "$arena" season remove later >out || fail "later"
"$arena" season extend cup --deadline none >out
"$arena" season roster cup --only jay >out
bot lone Joy
expect "lone 1 is admitted, but the bot waits for games: season cup takes only the bots on its list"
"$arena" season roster cup --all >out
bot lark Joy
expect "lark 1 is admitted\$"

# With --versions 1 an older version that has no game to play loses its package, but neither its row nor its games.
game=$("$arena" games cup --json | python3 -c 'import json, sys; print(json.loads(sys.stdin.readline())["match"])')
"$arena" season close cup >out
sed -i 's/"version": "1"/"version": "2"/' ant/bot.json
"$arena" submit --queue ant >/dev/null
count=$((count + 1))
expect "ant 2 is admitted" --versions 1
status=0
"$arena" sprt ant@1 fox >out 2>err || status=$?
[ "$status" = 2 ] && [ "$(wc -l <err)" = 1 ] || fail "an old version plays: status $status"
grep -q "^arena: bot ant 1: package .* was removed: .*--versions" err || fail "an old version: not told why"
"$arena" bots | grep -q '^ant .*1' && "$arena" replay --verify "$game" >out || fail "an old version: its row or its game is gone"
"$arena" store check --replays >out || fail "store check after --versions"

# A bot without "name" has the name of the folder that was handed in, in the queue, the store and its games.
for name in nora nils; do
    cp -r "$build/bots/greedy" "$name"
    printf '{"version": "1", "author": "%s", "run": ["./greedy"]}' "$name" >"$name/bot.json"
    "$arena" submit --queue "$name" >/dev/null
    count=$((count + 1))
    expect "$name 1 is admitted"
    "$arena" bots | grep -q "^$name .*1" || fail "$name: $("$arena" bots)"
done
"$arena" season new nameless --budget 2 >out && "$arena" season roster nameless --only nora,nils >out || fail "nameless: season"
"$arena" season run nameless >out 2>err || fail "nameless: status $?"
game=$("$arena" games nameless --json | python3 -c 'import json, sys; print(json.loads(sys.stdin.readline())["match"])')
"$arena" replay --json "$game" | grep -q '"name": *"nora"' || fail "the replay of a bot without a name"
