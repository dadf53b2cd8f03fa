#!/bin/sh
# SPDX-License-Identifier: MIT
# The site of a season in a browser: sh tests/browser/site.sh BUILD. Status 77: it cannot run here.
set -u
build=$(realpath "$1")
here=$(realpath "$(dirname "$0")")
. "$here/browser.sh"
browser_begin
arena=$build/bin/arena
export ARENA_HOME="$room/home"
for bot in lookahead greedy random; do
    "$arena" submit --check-games 1 "$build/bots/$bot" >/dev/null || exit 1
done
"$arena" submit "$here/late" >/dev/null || exit 1
"$arena" season new empty >/dev/null &&
    "$arena" season new cup --players 2,3 --board both --budget 24 --clock turn=5000 >/dev/null &&
    "$arena" season run cup --jobs 2 >/dev/null || exit 1
# A bot that is in no game of cup, which has spent its budget, and waits in empty.
cp -r "$build/bots/random" newcomer && sed -i 's/"random"/"newcomer"/; s/"author": "[^"]*"/"author": "Late Lovelace"/' newcomer/bot.json &&
    "$arena" submit --check-games 1 newcomer >/dev/null &&
    "$arena" publish --address https://arena.example --contact "ask league@arena.example." "$room/web" >/dev/null && "$arena" ladder cup --json >ladder.json &&
    "$arena" games cup --json >games.json || exit 1
NODE_PATH=$browser_modules node "$here/site.js" "$room" "$build/browser"
