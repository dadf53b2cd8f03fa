#!/bin/sh
# SPDX-License-Identifier: MIT
# A forfeit can be seen again by the command that its record holds: the bytes sent are those of then, and
# the bot goes out as it did then. tests/play/rows.py runs the command of each kind of forfeit. $1 is the
# build folder.
. tests/begin.inc
cd "$folder"

# A bot that plays the first action, slowly, and does what its folder is called at a given turn.
bot() { # FOLDER WHAT WHEN [READY]
    mkdir "$1"
    printf '{"name": "%s", "run": ["./bot"]}' "${1%% *}" >"$1/bot.json"
    cat >"$1/bot" <<BOT
#!/usr/bin/python3
import msgpack, os, sys, time
what, when, ready = "$2", $3, {"type": "ready", ${4-}}
BOT
    cat >>"$1/bot" <<'BOT'
def misbehave(message):
    print(what, "at", message.get("turn"), file=sys.stderr, flush=True)
    if what == "exit":
        sys.exit(3)
    if what == "crash":
        os.abort()
    if what == "illegal":
        return {"type": "act", "turn": message["turn"], "action": 100000}
unpacker = msgpack.Unpacker(raw=False)
asked = 0
while True:
    data = os.read(0, 65536)
    if not data:
        break
    unpacker.feed(data)
    for message in unpacker:
        if message["type"] == "hello":
            answer = misbehave(message) if when < 0 else ready
        elif message["type"] == "turn":
            time.sleep(0.004)
            answer = {"type": "act", "turn": message["turn"], "action": 0}
            if asked == when:
                answer = misbehave(message)
            asked += 1
        else:
            continue
        os.write(1, msgpack.packb(answer))
BOT
    chmod +x "$1/bot"
}

# Plays, then runs each forfeit's own command and compares.
see_again() { # NAME SEATS-THAT-GO-OUT ARENA-ARGUMENT...
    name=$1 seats=$2
    shift 2
    "$arena" match --seed 000102030405060708090a0b0c0d0e0f --json --replays "replays of $name" \
        "$@" >"$name.json"
    for seat in $seats; do
        python3 - "$name.json" "$seat" >command <<'PYTHON'
import json, sys
forfeit = json.load(open(sys.argv[1]))["forfeits"][int(sys.argv[2])]
sys.exit("%s: seat %s played" % tuple(sys.argv[1:])) if forfeit is None else print(forfeit["command"])
PYTHON
        sh -c "$(cat command) --json" >seen.json
        python3 - "$name.json" "$seat" seen.json <<'PYTHON'
import json, sys
then = json.load(open(sys.argv[1]))["forfeits"][int(sys.argv[2])]
again = json.load(open(sys.argv[3]))
now = again["forfeit"]
def expect(what, holds):
    if not holds:
        sys.exit("%s, seat %s: %s\nthen  %r\nagain %r" % (sys.argv[1], sys.argv[2], what, then, again))
expect("it did not go out", now is not None)
expect("the bytes are not the same", again["same_request"] is True)
expect("the bytes are not those of the record", again["request"] == then["request"] == now["request"])
expect("the bytes are none", len(then["request"]) > 100)
for key in "reason", "words", "turn", "limit_us", "status", "signal", "reply", "stderr":
    expect(key + " is different", now[key] == then[key])
expect("its bank was not brought back", then["turn"] is None or then["turn"] < 20 or then["limit_us"] != 1500000)
PYTHON
        echo "$name, seat $seat: seen again"
    done
}

random=$build/bots/random
# A turn of 1 ms is always overrun, so that requests depend on the recorded times.
clock="--clock turn=1,bank=1500,gain=1,start=3000"

for what in exit crash illegal; do
    bot $what $what 12
    see_again $what 0 $clock $what "$random"
done
bot hello exit -1
see_again hello 1 $clock "$random" hello
bot "it's here" exit 3
see_again quoted 1 $clock "$random" "it's here"
bot bare illegal 10 '"actions": False'
see_again bare 1 $clock "$random" bare
# Another goes out first, and both commands work.
bot first crash 4
see_again four "1 3" --board gray $clock "$random" first "$random" illegal

# A bot that does not want the list of legal actions gets the request of one that does, but for the
# list, and the other way round.
replay="replays of exit/000000-0.replay"
turn=$(python3 -c 'import json; print(json.load(open("exit.json"))["forfeits"][0]["turn"])')
bot short illegal 1000 '"actions": False'
"$arena" replay "$replay" --at "$turn" --bot short >out
grep -q "the same as in the match but for the list of legal actions" out
turn=$(python3 -c 'import json; print(json.load(open("bare.json"))["forfeits"][1]["turn"])')
"$arena" replay "replays of bare/000000-0.replay" --at "$turn" --bot illegal --json |
    grep -q '"same_request":false,"same_but_actions":true'

expect 2 "--seat" "$arena" replay "$replay" --at hello --bot crash
expect 2 "of that seat" "$arena" replay "$replay" --at 0 --seat 1 --bot "$random"
expect 2 "cannot be combined" "$arena" replay "$replay" --at 0 --bot "$random" --verify

# A bot that plays on is compared with the record; without limits its words come through.
"$arena" replay "$replay" --at 0 --bot exit >out
grep -q "the same" out
grep -q "  answers  takes .* (draft " out
# One hello is the bot's own: it played at one seat.
"$arena" replay "$replay" --at hello --bot "$random" | grep -q "seat 1, random, hello"
# The recorded request alone, for a debugger: the bytes that went to the bot, and its hello.
turn=$(python3 -c 'import json; print(json.load(open("exit.json"))["forfeits"][0]["turn"])')
"$arena" replay "$replay" --at "$turn" --request >request
python3 - <<'PYTHON'
import json
then = bytes.fromhex(json.load(open("exit.json"))["forfeits"][0]["request"])
now = open("request", "rb").read()
assert now.endswith(then) and b"hello" in now[:-len(then)], (then, now)
PYTHON
# Without a bot: the position in words, the legal actions with their indexes, and what was decided.
"$arena" replay "$replay" --at "$turn" >out
for line in "match 000000-0, turn $turn: exit is to decide" "Supply: " "  green star: 1 " "exit is out: exit: "; do
    grep -q "$line" out || fail "--at $turn does not print: $line"
done
"$arena" replay "$replay" --at "$turn" --json >at.json
"$arena" replay "$replay" --at 0 >out
grep -q "^   0  take .* (draft " out && grep -q "^      exit takes .* ms" out
"$arena" replay "$replay" --at 0 --json >first.json
"$arena" replay "$replay" --json --legal >all.json
python3 - "$turn" <<'PYTHON'
import json, sys
lines = [json.loads(line) for line in open("all.json")]
first, at = (json.load(open(name)) for name in ("first.json", "at.json"))
assert first.pop("forfeit") is None and first == lines[1], first
assert at["turn"] == int(sys.argv[1]) and at["seat"] == 0 and at["action"] is at["by"] is at["us"] is None, at
assert at["state"] == lines[-1]["state"] and at["legal"] == lines[-1]["legal"] and at["legal"], at
assert at["forfeit"] == lines[-1]["forfeits"][0] and at["forfeit"]["reason"] == "exit", at
PYTHON
expect 2 "is not a turn from 0 to $turn" "$arena" replay "$replay" --at "$((turn + 1))"
expect 2 "needs --bot" "$arena" replay "$replay" --at hello
expect 2 "needs --bot" "$arena" replay "$replay" --at 0 --seat 0
# --legal shows what the bot that ended the match could have played.
"$arena" replay "$replay" --json --legal | tail -1 | grep -q '"legal":\[\['
"$arena" replay "$replay" --at "$turn" --bot exit --no-limits >out 2>err </dev/null
grep -q "the bot has PID [0-9]" err
grep -q "^exit at" err
grep -q "without limit" out

# A replay that says 2^40 bytes of memory gives no bot more than the command allows.
"$arena" match --memory 900 --replays large "$random" "$random" >/dev/null
python3 - large/000000-0.replay <<'PYTHON'
import hashlib, sys
with open(sys.argv[1], "rb") as file:
    body = file.read()[:-34]
was = b"\xa6memory\xce" + (900 << 20).to_bytes(4, "big")
assert body.count(was) == 1
body = body.replace(was, b"\xa6memory\xcf" + (1 << 40).to_bytes(8, "big"))
with open(sys.argv[1], "wb") as file:
    file.write(body + b"\xc4\x20" + hashlib.sha256(body).digest())
PYTHON
"$arena" replay large/000000-0.replay --at 0 --bot "$random" >out
grep -q "the bot has 768 MiB of memory here, and had 1048576 MiB in the match" out
"$arena" replay large/000000-0.replay --at 0 --bot "$random" --memory 900 >out
grep -q "the bot has 900 MiB of memory here" out
