#!/bin/sh
# SPDX-License-Identifier: MIT
# habits.sh BUILD GAMES TRIES: bots that play as steady but for one habit (habit.c) play against steady;
# tells in how many tries `arena analyse --summary` names the habit's kind of mistake first.
set -eu
build=$(realpath "$1")
games=$2
tries=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export ARENA_HOME="$work/home"

# try HABIT NUMBER: prints the first kind.
try() {
    "$build/bin/arena" match --games "$games" --clock turn=5000 --seed "$(printf %032x "$2")" \
        --replays "$work/$1-$2" "$build/tests/bots/bot_$1" "$build/bots/steady" >/dev/null
    "$build/bin/arena" analyse --summary --player "bot_$1" --turn 50 --json "$work/$1-$2" |
        python3 -c 'import json, sys; print(json.load(sys.stdin)["players"][0]["mistakes"][0]["kind"])'
}

# habit HABIT KIND
habit() {
    named=0
    for number in $(seq "$tries"); do
        kind=$(try "$1" "$number")
        [ "$kind" != "$2" ] || named=$((named + 1))
    done
    echo "$1: \"$2\" named first in $named of $tries tries of $games games"
    [ $((named * 4)) -ge $((tries * 3)) ] || exit 1
}

habit no_bonus "Forgoes bonus tiles"
habit early_pass "Passes too early"
habit no_wild "Leaves wild tiles"
habit discard "Discards too many tiles"
