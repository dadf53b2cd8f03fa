#!/bin/sh
# SPDX-License-Identifier: MIT
# Takes pictures of every kind of page with 0, 1, 8, 70 and 1,000 bots and in every state of a season,
# wide and phone, light and dark, for people to look at; also checks each page as browser.site does.
# usage: sh tests/browser/gallery.sh BUILD FOLDER   (BUILD: a release build; several minutes)
# FOLDER receives one picture per page and view, and SHEET-*.png with many pages side by side.
set -eu
build=$(realpath "$1")
mkdir -p "$2"
folder=$(realpath "$2")
here=$(realpath "$(dirname "$0")")
. "$here/browser.sh"
browser_begin
arena=$build/bin/arena
bench=$build/bin/bench
unset ARENA_STORE

# submit BOT NAME: submits a bundled bot under another name.
submit() {
    cp -rL "$build/bots/$1" "$2"
    sed -i "s/\"name\": *\"[^\"]*\"/\"name\": \"$2\"/; s/\"author\": *\"[^\"]*\"/\"author\": \"author of $2\"/" "$2/bot.json"
    "$arena" submit --check-games 1 "$2" >/dev/null
}

export ARENA_HOME="$room/home0"
"$arena" season new empty >/dev/null
"$arena" publish "$folder/site-0" >/dev/null

export ARENA_HOME="$room/home1"
submit random alone
"$arena" publish "$folder/site-none" >/dev/null
"$arena" season new single --budget 10 >/dev/null
"$arena" publish "$folder/site-1" >/dev/null

export ARENA_HOME="$room/home8"
submit steady stella
submit steady sterling
submit lookahead looker
submit greedy greta
submit greedy-python pythia
submit random rambo
submit random-lua luna
"$arena" submit "$here/late" >/dev/null
"$arena" season new closed --players 2 --budget 56 --clock turn=5000 >/dev/null
"$arena" season run closed --jobs 2 >/dev/null
"$arena" season close closed >/dev/null
"$arena" season new archived --keep forfeits+10 --budget 56 --clock turn=5000 >/dev/null
"$arena" season run archived --jobs 2 >/dev/null
"$arena" season close archived >/dev/null
"$arena" season prune --yes archived >/dev/null
"$arena" season new cup --players 2,3,4 --board both --budget 400 --clock turn=5000 >/dev/null
timeout "${GALLERY_SECONDS:-240}" "$arena" season run cup --jobs 2 >/dev/null || true
"$arena" publish "$folder/site-8" >/dev/null

export ARENA_HOME="$room/home-forfeits"
for bot in leaver quitter; do
    cp -r "$here/late" $bot
    sed -i "s/\"late\"/\"$bot\"/" $bot/bot.json
    sed -i 's/ % 3 == 0/ >= 0/' $bot/late.py
    "$arena" submit $bot >/dev/null
done
"$arena" season new cup --budget 12 >/dev/null
"$arena" season run cup --jobs 2 >/dev/null
"$arena" publish "$folder/site-forfeits" >/dev/null

for bots in 70 1000; do
    "$bench" crowd --bots $bots --games $((bots * 40)) "$room/home$bots"
    ARENA_HOME="$room/home$bots" "$arena" publish "$folder/site-$bots" >/dev/null
done
NODE_PATH=$browser_modules node "$here/gallery.js" "$folder"
