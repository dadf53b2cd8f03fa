#!/bin/sh
# SPDX-License-Identifier: MIT
# docs/protocol.md shows the messages of tests/golden/wire.hex, and its bot in Python plays; the bot
# in C of docs/bots.md compiles and plays, a random bot in C fits in 25 lines, and a replay's bytes are
# what its tables say.
set -eu
build=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# block LANGUAGE DOCUMENT: the contents of its code blocks in that language
block() {
    awk -v fence="\`\`\`$1" '$0 == fence { inside = 1; next } /^```/ { inside = 0 } inside' "$2"
}

block hex docs/protocol.md > "$scratch/hex"
[ "$(wc -l < "$scratch/hex")" -eq 4 ] # hello, ready and two of act
while read -r bytes; do
    grep -q " $bytes\$" tests/golden/wire.hex || { echo "no golden message: $bytes"; exit 1; }
done < "$scratch/hex"

block c docs/bots.md > "$scratch/mine.c"
cc -Wall -Wextra -Werror -I. "$scratch/mine.c" "$build/sdk/libsdk_plain.a" \
    "$build/engine/libengine_plain.a" -o "$scratch/mine"
[ "$(wc -l < bots/random/random.c)" -le 25 ]

block python docs/protocol.md > "$scratch/first.py"
PATH=/usr/local/bin:/usr/bin:/bin python3 - "$scratch/first.py" <<'PYTHON'
import re
import subprocess
import sys
import json
import msgpack

golden = {}
for line in open("tests/golden/wire.hex"):
    name, text = line.split()
    golden[name] = bytes.fromhex(text)

# What is shown as JSON is what the bytes say; of end's state only a part is shown.
shown = re.findall(r"```json\n(.*?)```", open("docs/protocol.md").read(), re.S)
for text, name in zip(shown, ["hello", "ready", "turn", "act-index", "act-action", "end"], strict=True):
    message, bytes_say = json.loads(text), msgpack.unpackb(golden[name])
    if name == "end":
        assert message.pop("state").items() <= bytes_say.pop("state").items()
    assert message == bytes_say, name

asked = golden["hello"] + golden["turn"] + golden["end"]
bot = subprocess.run([sys.executable, sys.argv[1]], input=asked, stdout=subprocess.PIPE, timeout=60, check=True)
unpacker = msgpack.Unpacker()
unpacker.feed(bot.stdout)
assert list(unpacker) == [
    {"type": "ready", "name": "first", "version": "1"},
    {"type": "act", "turn": 1, "action": 0},
]
PYTHON

# Both play whole games without a fault.
chmod 755 "$scratch"
mkdir "$scratch/c" "$scratch/python"
mv "$scratch/mine" "$scratch/c"
mv "$scratch/first.py" "$scratch/python"
echo '{"name": "c", "version": "1", "run": ["./mine"]}' >"$scratch/c/bot.json"
echo '{"name": "python", "version": "1", "run": ["python3", "first.py"]}' >"$scratch/python/bot.json"
"$build/bin/arena" match --games 2 --rotate --replays "$scratch/games" "$scratch/c" "$scratch/python" >"$scratch/match"
! grep ' is out at turn' "$scratch/match"
grep '^4 matches' "$scratch/match"

PATH=/usr/local/bin:/usr/bin:/bin python3 - "$scratch/games/000000-0.replay" <<'PYTHON'
import hashlib
import re
import sys
import msgpack

with open(sys.argv[1], "rb") as file:
    content = file.read()
unpacker = msgpack.Unpacker(strict_map_key=True)
unpacker.feed(content)
header, *decisions, result, checksum = unpacker
text = open("docs/protocol.md").read().split("## The replay file")[1].split("\n## ")[0]
rows = [[re.findall(r"`(\w+)`", row) for row in re.findall(r"^\| (.*?) \|", part, re.M)]
        for part in (text.split("**A decision**")[0], text.split("**The result**")[1])]
for told, keys in zip((header, result), rows):
    assert list(told) == sum(keys, []), (told, keys)
places = re.findall(r"^\| (\d) \|", text, re.M)
assert all(len(decision) == len(places) for decision in decisions), places
assert header["replay"] == 1 and len(header["seed"]) == 16 and result["forfeits"] == [None, None]
assert checksum == hashlib.sha256(content[:-len(msgpack.packb(checksum))]).digest()
PYTHON
