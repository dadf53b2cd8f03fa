#!/bin/sh
# SPDX-License-Identifier: MIT
# Makes the pictures of README.md: docs/pictures/ladder.png from a real season, match.png, which moves, from
# a real match. Wants Debian's chromium, a release build, and what the test browser.packages installs.
# usage: pictures.sh [BUILD]
set -eu
root=$(realpath "$(dirname "$0")/../..")
here=$root/tests/browser
release=$(realpath "${1:-$root/build/release}")
build=$root/build/debug
. "$here/browser.sh"
browser_begin
arena=$release/bin/arena
export ARENA_HOME="$room/home"
unset ARENA_STORE
"$arena" match --seed 00112233445566778899aabbccddeeff --replays games steady lookahead >/dev/null
"$arena" replay games/000000-0.replay --html match.html
NODE_PATH=$browser_modules node "$here/moving.js" "$room/match.html" "$root/docs/pictures/match.png"

for bot in maestro steady lookahead greedy greedy-python random; do
    "$arena" submit "$release/bots/$bot"
done
"$arena" season new spring --budget 120 --seed 00112233445566778899aabbccddeeff
"$arena" season run spring --jobs 2
"$arena" publish "$room/site"
chromium --headless --no-sandbox --disable-gpu --no-first-run --disable-background-networking \
    --disable-component-update --disable-sync --user-data-dir="$room/chromium" \
    --window-size=1280,860 --screenshot="$root/docs/pictures/ladder.png" "file://$room/site/spring/index.html" >/dev/null 2>&1
