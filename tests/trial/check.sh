#!/bin/sh
# SPDX-License-Identifier: MIT
# What `arena check` passes and what it fails: a row a bot, with the steps that it must fail and no
# others. $1 is the build folder.
. tests/begin.inc
cd "$folder"

# A bot in Python that plays the first action; its lines may change how.
bot() { # NAME <PYTHON, indented below the loop over messages
    mkdir "$1"
    printf '{"name": "%s", "version": "1", "author": "tests", "run": ["python3", "bot.py"]}' \
        "$1" >"$1/bot.json"
    {
        cat <<'BOT'
import msgpack, os, re, signal, sys, time
unpacker = msgpack.Unpacker(raw=False)
hello, leave = None, True
def read():
    global leave
    data = os.read(0, 65536)
    while not data and not leave:
        time.sleep(1)
    if not data:
        sys.exit(0)
    unpacker.feed(data)
while True:
    read()
    for message in unpacker:
        kind = message["type"]
        if kind == "hello":
            hello, answer = message, {"type": "ready"}
        elif kind == "turn":
            answer = {"type": "act", "turn": message["turn"], "action": 0}
        else:
            answer = None
BOT
        sed 's/^/        /'
        printf '        if answer is not None:\n            os.write(1, msgpack.packb(answer))\n'
    } >"$1/bot.py"
}

# judge ID "STEP, STEP" ("" for none) BOT ARENA-ARGUMENT...: what arena prints is kept in ID.json.
judge() {
    id=$1 steps=$2 name=$3
    shift 3
    status=0
    "$arena" check --json "$@" "$name" >"$id.json" 2>"$id.err" || status=$?
    python3 - "$id" "$steps" "$status" <<'PYTHON' || touch "$id.failed"
import json, sys
name, wanted, status = sys.argv[1], sys.argv[2], int(sys.argv[3])
text = open(name + ".json").read()
if not text:
    sys.exit("%s: no report, status %d: %s" % (name, status, open(name + ".err").read()))
check = json.loads(text)
steps = check["steps"]
failed = "; ".join(step["name"] for step in steps if step["result"] == "fail")
def expect(what, holds):
    if not holds:
        print("%s: %s: failed '%s', status %d\n%s" % (name, what, failed, status,
              [step["reason"] for step in steps if step["result"] == "fail"]))
        sys.exit(1)
expect("these steps are to fail: '%s'" % wanted, failed == wanted)
expect("the exit status tells", status == (1 if wanted else 0) and check["fit"] == (not wanted))
expect("steps are numbered", [step["step"] for step in steps] == list(range(1, 20)))
expect("each failure has a reason", all(step["reason"] for step in steps if step["result"] != "pass"))
us = check["us"]
expect("times are in order", 0 <= us["median"] <= us["p99"] <= us["max"])
if not wanted:
    expect("decisions were counted", check["decisions"] > 200 and us["max"] > 0)
    expect("memory was seen", 100000 < check["memory_peak_bytes"] < 200 << 20)
print("%s: as expected" % name)
PYTHON
}

# expect STEPS BOT ARENA-ARGUMENT...: a row. Bots mostly wait, so four rows run at once.
failed=0 rows=0
expect() {
    judge "${2##*/}" "$@" &
    rows=$((rows + 1))
    [ $((rows % 4)) -ne 0 ] || wait
}

# All that comes with the arena is fit to play. maestro uses the time it has: a minute at 1 s a turn.
for manifest in "$build"/bots/*/bot.json; do
    case $manifest in
    */maestro/*) expect "" "${manifest%/bot.json}" --clock turn=30,bank=2000 ;;
    *) expect "" "${manifest%/bot.json}" ;;
    esac
done

# Nothing obvious tells a check from a season.
bot suspicious <<'BOT'
if kind == "hello":
    real = (not any(message["names"]) and len(message["names"]) == message["players"]
            and re.fullmatch("[a-z0-9_-]{1,32}-[0-9]{6}-[0-3]", message["match"])
            and message["clock"] == {"turn_ms": 1000, "bank_ms": 10000, "gain_ms": 0, "start_ms": 5000})
    if not real:
        sys.exit(9)
BOT
expect "" suspicious

games="2 players, colored; 2 players, gray; 3 players, colored; 3 players, gray"
games="$games; 4 players, colored; 4 players, gray"
last="a game against itself; a game against chance"

bot never_starts </dev/null
sed -i 's/python3/.\/none/' never_starts/bot.json
expect "build" never_starts
bot not_a_program </dev/null
echo "no program" >not_a_program/bot.elf
chmod +x not_a_program/bot.elf
sed -i 's/"python3", "bot.py"/".\/bot.elf"/' not_a_program/bot.json
expect "start" not_a_program
bot builds_not </dev/null
sed -i 's/"run"/"build": ["false"], "run"/' builds_not/bot.json
expect "build" builds_not
bot Capital </dev/null
expect "manifest" Capital
mkdir empty
expect "manifest" empty
cp "$build/bots/random/random" plain
expect "manifest" plain

bot leaves_early <<'BOT'
sys.exit(2)
BOT
expect "hello" leaves_early
bot imports_none <<'BOT'
import none
BOT
expect "hello" imports_none
bot never_ready <<'BOT'
answer = None
BOT
expect "hello" never_ready --clock start=300
bot talks_back <<'BOT'
if kind == "hello":
    answer = {"type": "act", "turn": 0, "action": 0}
BOT
expect "hello" talks_back
bot drafts_not <<'BOT'
if kind == "turn":
    answer["action"] = 1000
BOT
expect "turn: draft; $games; unknown keys; end of input; $last" drafts_not
bot bonus_not <<'BOT'
if kind == "turn":
    places = [i for i, action in enumerate(message["actions"]) if action[0] == "place"]
    answer["action"] = places[0] if places else 0
    if message["state"]["phase"] == "bonus":
        sys.stderr.write("what is a bonus?")
        sys.exit(1)
BOT
status=0
"$arena" check bonus_not --seed 00000000000000000000000000000003 >out || status=$?
[ "$status" = 1 ] || { echo "bonus_not: status $status"; failed=1; }
grep -q " 7  turn: bonus *FAIL$" out && grep -q "is out at turn .*: exit: the bot exited (status 1): what is a bonus?" out
grep -q "stderr  what is a bonus?" out
bot end_kills <<'BOT'
if kind == "end":
    os.kill(os.getpid(), signal.SIGSEGV)
BOT
expect "end; $games; unknown keys; a game against itself; a game against chance" end_kills
bot waits_for_end <<'BOT'
if kind == "end":
    sys.exit(0)
leave = False
BOT
expect "end of input" waits_for_end
bot stays_after_end <<'BOT'
while kind == "end":
    time.sleep(1)
BOT
expect "exit" stays_after_end
bot knows_all_keys <<'BOT'
known = {"hello": 10, "turn": 6, "end": 5}
if len(message) > known[kind]:
    sys.exit(1)
BOT
expect "unknown keys" knows_all_keys
bot two_only <<'BOT'
if hello["players"] != 2:
    sys.exit(1)
BOT
expect "3 players, colored; 3 players, gray; 4 players, colored; 4 players, gray; unknown keys" two_only
bot colored_only <<'BOT'
if hello["board"] != "colored":
    sys.exit(1)
BOT
expect "2 players, gray; 3 players, gray; 4 players, gray; unknown keys" colored_only
bot last_seat_not <<'BOT'
if hello["seat"] == 3:
    sys.exit(1)
BOT
expect "4 players, colored" last_seat_not
bot slow <<'BOT'
if kind == "turn" and message["state"]["phase"] == "place":
    time.sleep(5)
BOT
expect "turn: place; $games; unknown keys; $last" slow --clock turn=400,bank=0
bot loud <<'BOT'
sys.stderr.write("x" * 1000)
BOT
expect "" loud
wait
python3 -c 'import json, sys; sys.exit(json.load(open("loud.json"))["stderr_bytes"] < 100000)'
# The reason of a step, which every report shows, has the line that says what the bot died of.
grep -q "exit: the bot exited (status 1): ModuleNotFoundError: No module named 'none'" imports_none.json || failed=1
! ls ./*.failed 2>/dev/null || failed=1
[ "$(ls ./*.json | wc -l)" -eq "$rows" ] || {
    echo "$rows rows, and other reports: $(ls ./*.json)"
    failed=1
}

# A bot that answers no turn is seen once, and not in each of eleven games.
bot silent <<'BOT'
if kind == "turn":
    answer = None
BOT
status=0
"$arena" check --json silent --clock turn=200,bank=0 >out || status=$?
[ "$status" = 1 ] || { echo "silent: status $status"; failed=1; }
python3 -c '
import json, sys
results = [step["result"] for step in json.load(open("out"))["steps"]]
sys.exit(results != ["pass"] * 4 + ["fail"] + ["skip"] * 14)' ||
    { echo "silent: tried again and again"; failed=1; }

# One that hangs later on, and uses up its bank each time, is seen in two games.
bot hangs <<'BOT'
if kind == "turn" and message["state"]["phase"] == "place":
    time.sleep(60)
BOT
status=0
"$arena" check --json hangs --clock turn=100,bank=4900 >out || status=$?
[ "$status" = 1 ] || { echo "hangs: status $status"; failed=1; }
python3 -c '
import json, sys
steps = json.load(open("out"))["steps"]
late = [step["step"] for step in steps if step["result"] == "fail"]
left = [step["reason"] for step in steps[9:]]
sys.exit(late != [6, 9] or left != ["the bot missed the deadline in two games already"] * 10)' ||
    { echo "hangs: $(cat out)"; failed=1; }

# --quick and --check-games: fewer decisions. A quick check keeps the clock, and leaves steps out once
# the bot has thought for its 5 s. The summary comes first.
"$arena" check --quick "$build/bots/greedy" >out
[ "$(head -2 out | tr '\n' '|')" = "fit to play, as far as --quick looked|17 of 19 steps passed, 0 failed, 2 not tried|" ] || failed=1
"$arena" check --json --quick "$build/bots/greedy" >quick
"$arena" check --json --check-games 2 "$build/bots/greedy" >two
bot thinker <<'BOT'
if kind == "turn":
    time.sleep(0.2)
BOT
"$arena" check --json --quick thinker >thinker.json || failed=1
python3 - <<'PYTHON' || failed=1
import json
quick, two, thinker = (json.load(open(name)) for name in ("quick", "two", "thinker.json"))
assert quick["fit"] and two["fit"] and thinker["fit"]
assert 60 < quick["decisions"] < 250 and not quick["clock_shortened"], quick["decisions"]
tried = [step["name"] for step in two["steps"] if step["result"] == "pass"]
assert "2 players, colored" in tried and "4 players, gray" not in tried, tried
assert not thinker["clock_shortened"]
results = [step["result"] for step in thinker["steps"]]
assert results[:8] == ["pass"] * 8 and results[15:17] == ["skip", "pass"] and "fail" not in results, results
assert "used up its 5 s of thinking" in thinker["steps"][15]["reason"], thinker["steps"][15]
PYTHON

# The same seed gives the same games.
again() {
    "$arena" check --json --seed 000102030405060708090a0b0c0d0e0f "$build/bots/random" >"$1"
}
again one && again two
python3 -c '
import json, sys
one, two = (json.load(open(name)) for name in ("one", "two"))
sys.exit(one["decisions"] != two["decisions"])'
exit $failed
