#!/bin/sh
# SPDX-License-Identifier: MIT
# A bot is stopped while it is not its turn, as in a season: in `arena check`, and in the check of
# `arena submit`. The bot tells by itself, in the game against itself. $1 is the build folder.
. tests/begin.inc
cd "$folder"

# It thinks for SLEEP_S in one turn. Whoever waits for that turn notes when its second thread ran:
# as one that was stopped it did not for most of that time.
mkdir awake
cat >awake/bot.json <<'EOF'
{"name": "awake", "version": "1", "author": "tests", "run": ["python3", "bot.py"]}
EOF
cat >awake/bot.py <<'EOF'
import msgpack, os, sys, threading, time

THOUGHT_ON, SLEEP_S = 12, 0.8
ticks = []

def tick():
    while True:
        ticks.append(time.monotonic())
        time.sleep(0.01)

def longest_pause(begun, ended):
    times = [begun] + [at for at in ticks if begun < at < ended] + [ended]
    return max(after - before for before, after in zip(times, times[1:]))

threading.Thread(target=tick, daemon=True).start()
unpacker = msgpack.Unpacker(raw=False)
answered = answered_turn = None
while data := os.read(0, 65536):
    unpacker.feed(data)
    for message in unpacker:
        if message["type"] == "hello":
            os.write(1, msgpack.packb({"type": "ready"}))
            continue
        if message["type"] != "turn":
            continue
        now, turn = time.monotonic(), message["turn"]
        if answered_turn is not None and answered_turn < THOUGHT_ON < turn:
            if now - answered >= SLEEP_S and longest_pause(answered, now) < SLEEP_S / 2:
                sys.exit(9)
        if turn == THOUGHT_ON:
            time.sleep(SLEEP_S)
        answered, answered_turn = time.monotonic(), turn
        os.write(1, msgpack.packb({"type": "act", "turn": turn, "action": 0}))
EOF

"$arena" check awake >out 2>err || fail "check: it ran while it was not its turn"
"$arena" submit awake >out 2>err || fail "submit: it ran while it was not its turn"
grep -q "awake 1 is admitted" out || fail "submit"

# What this stands on: without being stopped it notices.
tries=0
until "$arena" match awake awake --no-freeze >out 2>err && grep -q "exited (status 9)" out; do
    tries=$((tries + 1)) # on a busy machine it may pause by itself
    [ "$tries" -lt 10 ] || fail "the bot notices nothing"
done
