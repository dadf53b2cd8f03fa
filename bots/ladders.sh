#!/bin/sh
# SPDX-License-Identifier: MIT
# The bundled bots' Elo in each of the six settings: a season and a ladder for each.
set -e
cd "$(dirname "$0")/.."

usage="usage: sh bots/ladders.sh [GAMES]

Plays a season of GAMES games (400) between the bundled bots in each of the six settings and prints
the ladders. Wants build/release; keeps the seasons in build/ladders, and goes on with them when
run again."

case ${1-400} in
-h | --help)
    echo "$usage"
    exit 0
    ;;
*[!0-9]* | "")
    echo "$usage" >&2
    exit 2
    ;;
esac

arena=build/release/bin/arena
export ARENA_HOME="$PWD/build/ladders"
for bot in maestro steady lookahead greedy greedy-python greedy-perl random-lua random; do
    "$arena" bots 2>/dev/null | grep -q "^$bot " || "$arena" submit "build/release/bots/$bot" >&2
done
for players in 2 3 4; do
    for side in colored gray; do
        name=$side-$players
        "$arena" season show "$name" >/dev/null 2>&1 ||
            "$arena" season new "$name" --players "$players" --board "$side" \
                --clock turn=20,bank=1000 --budget "${1-400}" >&2
        "$arena" season run "$name" --jobs "$(nproc)" >&2
        echo
        echo "$players players, $side side"
        "$arena" ladder "$name"
    done
done
