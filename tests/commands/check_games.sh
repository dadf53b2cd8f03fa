#!/bin/sh
# SPDX-License-Identifier: MIT
# What `arena check` keeps and shows of its games: replays that verify, commands that show forfeits
# again, pages. $1 is the build folder.
. tests/begin.inc
cd "$folder"

"$arena" check --quick --replays kept --open "$build/bots/greedy" >out || fail "$(cat out)"
count=0
for file in kept/*.replay; do
    "$arena" replay "$file" --verify >told || fail "$(cat told)"
    grep -Eq "^ +[0-9]+  [a-z0-9].* ${file%.replay}.html: open it" out || fail "no page of $file is told"
    grep -q '^<!' "${file%.replay}.html" || fail "no page of $file"
    "$arena" replay "$file" --json | grep -q '"chance"' || fail "$file names nobody chance"
    count=$((count + 1))
done
[ $count -ge 1 ] || fail 'no replay was kept'

# A bundled bot by its name.
"$arena" check --quick random >out || fail "$(cat out)"

# A bot that goes out in each game: each is kept to its end, and shown again by the command told.
mkdir bad
printf '{"name": "bad", "version": "1", "author": "tests", "run": ["python3", "bot.py"]}' >bad/bot.json
cat >bad/bot.py <<'BOT'
import msgpack, os
unpacker, asked = msgpack.Unpacker(raw=False), 0
while data := os.read(0, 65536):
    unpacker.feed(data)
    for message in unpacker:
        if message["type"] == "hello":
            os.write(1, msgpack.packb({"type": "ready"}))
        if message["type"] == "turn":
            asked += 1
            action = 99999 if asked == 5 else 0
            os.write(1, msgpack.packb({"type": "act", "turn": message["turn"], "action": action}))
BOT
status=0
"$arena" check --json --replays kept bad >check.json 2>err || status=$?
[ $status -eq 1 ] || fail "exit status $status of a bot that is not fit"
grep -q 'kept: the replays of this run go to kept/2, beside those of earlier runs' err || fail "$(cat err)"
/usr/bin/python3 - <<'PYTHON' || fail 'forfeits are not shown again'
import json, os, subprocess
again = {}
for step in json.load(open("check.json"))["steps"]:
    if step["forfeit"] and step["name"] != "unknown keys":  # what it was sent is in no replay
        assert step["forfeit"]["command"], step
        again[step["name"]] = step["forfeit"]["command"]
assert len(again) == 9, again
for name in "turn: draft", "4 players, gray", "a game against itself":
    shown = subprocess.run(again[name], shell=True, capture_output=True, text=True)
    assert "illegal: action 99999" in shown.stdout + shown.stderr, (name, shown)
PYTHON
for file in kept/2/*.replay; do
    "$arena" replay "$file" --verify >told || fail "$(cat told)"
done

# Extra games, to meet every kind of turn, leave no step out: nobody gave --check-games.
mkdir passing
printf '{"name": "passing", "version": "1", "author": "tests", "run": ["python3", "bot.py"]}' >passing/bot.json
sed 's/action = .*/action = len(message["actions"]) - 1 if message["state"]["phase"] == "place" else 0/' bad/bot.py >passing/bot.py
"$arena" check passing >out || fail "$(cat out)"
grep -q '^ 19  .* pass' out && ! grep -q 'check-games' out || fail "$(cat out)"

# Text on standard output that a buffer keeps until the bot exits: the bot is fit, and warned.
mkdir talks
printf '{"name": "talks", "version": "1", "author": "tests", "run": ["python3", "bot.py"]}' >talks/bot.json
sed 's/action = .*/action = 0/; s/^unpacker/print("thinking of it", end=""); unpacker/' bad/bot.py >talks/bot.py
"$arena" check --quick talks >out || fail "$(cat out)"
grep -q 'exit  *pass  warning: the bot prints text to standard output, .*"thinking of it"' out || fail "$(cat out)"
"$arena" submit --check-games 2 talks >out || fail "$(cat out)"
grep -q 'warning: the bot prints text to standard output' out && grep -q 'is admitted' out || fail "$(cat out)"

# One fault is told once, however many steps it fails.
"$arena" check bad >out && fail 'a bot that answers wrongly is fit'
[ "$(grep -c 'is out at' out)" -eq 1 ] && grep -q '^  9  to 15: 7 steps  *FAIL  as in step 5$' out || fail "$(cat out)"

# Text on standard output is told as such.
printf '#!/usr/bin/python3\nimport os\nos.read(0, 1)\nprint("choosing", flush=True)\nwhile os.read(0, 99999): pass\n' >talker
chmod 755 talker
"$arena" check --quick talker >out && fail 'a bot that prints is fit'
grep -q 'protocol: the bot printed text to standard output' out || fail "$(cat out)"

expect 2 'open cannot be combined with --json' "$arena" check --json --open "$build/bots/random"
