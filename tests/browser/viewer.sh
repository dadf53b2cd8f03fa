#!/bin/sh
# SPDX-License-Identifier: MIT
# The viewer in a browser: sh tests/browser/viewer.sh BUILD. Status 77: it cannot run here.
set -u
build=$(realpath "$1")
here=$(realpath "$(dirname "$0")")
. "$here/browser.sh"
browser_begin
arena=$build/bin/arena
bots=$build/bots
for game in colored-2 gray-2 gray-3 gray-4; do
    case $game in
    gray-2) seats="$bots/greedy $here/rude" # which goes out, so that the match ends early
        ;;
    *-2) seats="$bots/lookahead $bots/greedy" ;;
    *-3) seats="$bots/lookahead $bots/greedy $here/rude" ;;
    *-4) seats="$bots/greedy $bots/greedy $bots/random $bots/lookahead" ;;
    esac
    # shellcheck disable=SC2086
    "$arena" match --board "${game%-*}" --seed 00112233445566778899aabbccddeeff --memory 900 \
        --replays "$game" $seats >/dev/null || exit 1
    replay=$(echo "$game"/*.replay)
    "$arena" replay "$replay" --html "$game.html" >/dev/null &&
        "$arena" replay "$replay" --json >"$game.json" && cp "$replay" "$game.replay" || exit 1
    rm -r "$game"
done
NODE_PATH=$browser_modules node "$here/viewer.js" "$room" "$build/browser"
