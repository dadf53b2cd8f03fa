#!/bin/sh
# The pages of games of the bot with the longest notes, with as many of it as may play.
set -eu
build=$(realpath "$1")
arena=$build/bin/arena
room=$(mktemp -d)
trap 'rm -r "$room"' EXIT
cd "$room"
unset ARENA_STORE
export ARENA_HOME="$room/home"
for limit in 2:100000 4:180000; do
    seats=$(yes "$build/bots/maestro" | head -n "${limit%:*}")
    # shellcheck disable=SC2086
    "$arena" match --board gray --clock turn=60,bank=100000 --memory 900 --replays games \
        --seed 00112233445566778899001122334411 $seats >/dev/null
    "$arena" replay games/*.replay --html page.html >/dev/null
    bytes=$(wc -c <page.html)
    [ "$bytes" -le "${limit#*:}" ] || {
        echo "${limit%:*} players: the page has $bytes bytes"
        exit 1
    }
    echo "${limit%:*} players: $bytes bytes"
    rm -r games page.html
done
