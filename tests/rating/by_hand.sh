#!/bin/sh
# SPDX-License-Identifier: MIT
# Both lists of a season with ten versions, computed from the exported games by what
# docs/ratings.md says, are those of `arena ladder`; also after a ban with --void.
. tests/begin.inc

# bot NAME VERSION PACKAGE: submits a bundled bot under another name
bot()
{
    rm -rf "$folder/bot"
    cp -r "$build/bots/$3" "$folder/bot"
    cat >"$folder/bot/bot.json" <<JSON
{"name": "$1", "version": "$2", "author": "$1", "language": "C", "run": ["./$3"]}
JSON
    "$arena" submit "$folder/bot" >/dev/null
}

compare()
{
    rm -rf "$folder/export"
    "$arena" export spring "$folder/export" >/dev/null
    "$arena" ladder spring --all --json >"$folder/ladder.json"
    python3 tests/rating/by_hand.py "$folder/export" "$folder/ladder.json"
}

bot ant 1 greedy; bot bee 1 random; bot cat 1 greedy; bot dog 1 random
"$arena" season new spring --players 2,3,4 --board both --budget 40 >/dev/null
"$arena" season run spring --jobs 2 >/dev/null
for version in 2 3 4; do
    bot bee $version greedy
    bot dog $version random
    "$arena" season extend spring --budget 40 >/dev/null
    "$arena" season run spring --jobs 2 >/dev/null
done
compare | tee "$folder/said"
grep -q '^10 versions' "$folder/said"
"$arena" ban cat --void >/dev/null
compare
"$arena" ban cat --lift >/dev/null
"$arena" retire ant >/dev/null
bot bee 5 random # entered nowhere yet
compare
