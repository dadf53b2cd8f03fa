#!/bin/sh
# SPDX-License-Identifier: MIT
# What a command prints is written or it says why not: a full disk fails in one line, a reader
# that has seen enough is no fault.
games=$(pwd)/tests/golden/ratings/A_unbeaten_results.csv
. tests/begin.inc
set +e
cd "$folder"
bot=$build/bots/random
"$arena" season new cup >/dev/null && "$arena" match --replays . "$bot" "$bot" >/dev/null || exit 1
rows=0
while read -r command; do
    # shellcheck disable=SC2086
    timeout 60 "$arena" $command >/dev/full 2>err
    status=$?
    [ $status -eq 1 ] && [ "$(wc -l <err)" -eq 1 ] &&
        grep -q '^arena: standard output cannot be written' err || fail "$command, disk full: status $status"
    # A reader that leaves before the first byte: the status is the command's own.
    # shellcheck disable=SC2086
    { timeout 60 "$arena" $command 2>err; echo $? >status; } | true
    while [ ! -s status ]; do sleep 0.01; done
    [ "$(cat status)" -eq 0 ] && [ ! -s err ] || fail "$command, nobody reads: status $(cat status)"
    rm status
    rows=$((rows + 1))
done <<EOF
--help
rate --help
rate $games
rate $games --json
bots
bots --json
season list
season show cup
ladder cup
ladder cup --json
ladder cup --csv
season show cup --json
match --json $bot $bot
match $bot $bot
replay 000000-0.replay
replay 000000-0.replay --json
replay 000000-0.replay --html -
doctor --json
EOF
[ $rows -eq 18 ] || fail "$rows rows"
