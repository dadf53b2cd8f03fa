#!/bin/sh
# SPDX-License-Identifier: MIT
# The first bot of docs/bots.md is fit to play and beats random, and a broken one gets the forfeit
# that is shown there.
# $1 is the build folder.
set -eu
arena=$(cd "$1" && pwd)/bin/arena
random=$(cd "$1" && pwd)/bots/random
document=$PWD/docs/bots.md
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
chmod 755 "$work"
cd "$work"

# block LANGUAGE PATTERN: the code block in that language that has a line like that
block() {
    awk -v fence="\`\`\`$1" -v pattern="$2" '
        $0 == fence { inside = 1; text = ""; next }
        inside && /^```/ { if (text ~ pattern) { printf "%s", text; exit }; inside = 0 }
        inside { text = text $0 "\n" }' "$document"
}

mkdir first
block python "def worth" >first/bot.py
block json '"name": "first"' >first/bot.json
[ -s first/bot.py ] && [ -s first/bot.json ]
"$arena" check first >out || { cat out; exit 1; }
grep -q "^fit to play$" out
"$arena" match --games 10 --rotate first "$random" >out
awk '$1 == "first" && $2 == "-" && $4 >= 15 { found = 1 } END { exit !found }' out ||
    { echo "the first bot wins fewer than 15 of 20 games"; cat out; exit 1; }

cp -r first broken
sed -i 's/worth(actions\[index\],/worth(actions[index + 1],/; s/"first"/"broken"/' broken/bot.py broken/bot.json
"$arena" match --seed 000102030405060708090a0b0c0d0e0f --replays games broken "$random" >out
for line in "2. broken 5 (exit)  1. random 5" "seat 0, broken, is out at turn 0: exit: the bot exited (status 1)" \
    "of 11000.0 ms, processor " '{"type": "turn", "turn": 0, "state": {"board": "colored", "round": 1, ' \
    "IndexError: list index out of range" "replay games/000000-0.replay --at 0 --bot broken"; do
    grep -qF -e "$line" out || { echo "not told: $line"; cat out; exit 1; }
    short=${line#*2. } # the document leaves out times and the name of the program
    grep -qF -e "$short" "$document" || { echo "not in the document: $line"; exit 1; }
done
