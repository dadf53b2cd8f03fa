#!/bin/sh
# SPDX-License-Identifier: MIT
# Makes the pictures of README.md from a real season: docs/pictures/ladder.png and viewer.png. Wants
# Debian's chromium and a release build.
# usage: pictures.sh [BUILD]
set -eu
cd "$(dirname "$0")/../.."
build=${1:-build/release}
arena=$build/bin/arena
room=$(mktemp -d)
trap 'rm -rf "$room"' EXIT
export ARENA_HOME="$room/home"
unset ARENA_STORE
for bot in maestro steady lookahead greedy greedy-python random; do
    "$arena" submit "$build/bots/$bot"
done
"$arena" season new spring --budget 120 --seed 00112233445566778899aabbccddeeff
"$arena" season run spring --jobs 2
"$arena" publish "$room/site"
game=$("$arena" games spring --json | python3 -c '
import json, sys
games = [json.loads(line) for line in sys.stdin]
best = max(games, key=lambda game: sum(game["scores"]))
print(best["match"])')
"$arena" replay "$game" --html "$room/game.html"

# picture NAME URL HEIGHT
picture() {
    chromium --headless --no-sandbox --disable-gpu --no-first-run --disable-background-networking \
        --disable-component-update --disable-sync --user-data-dir="$room/chromium" \
        --window-size=1280,"$3" --screenshot="$PWD/docs/pictures/$1.png" "$2" >/dev/null 2>&1
}
picture ladder "file://$room/site/spring/index.html" 860
picture viewer "file://$room/game.html#t=90" 900
