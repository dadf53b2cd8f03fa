#!/bin/sh
# SPDX-License-Identifier: MIT
# What workers do when something around them fails: seasons that close, full disks, lost rights, servers
# that are away or stand still. The cases wait most of the time, so groups of them run at once, each
# with a server of its own. `faults.sh BUILD CASE ...` runs these cases one after another.
set -u
build=$1
shift
faults() {
    sh tests/postgres/with_server python3 tests/worker/faults.py "$build" "$@"
}
[ $# -eq 0 ] || {
    faults "$@"
    exit
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
pids=
others="--but"
for cases in server_frozen "server_away close_waits close_gives_up" "clock_jumps claim_lost rights_gone"; do
    faults $cases >"$work/${cases%% *}" 2>&1 &
    pids="$pids $!"
    others="$others $cases"
done
faults $others >"$work/others" 2>&1 &
pids="$pids $!"
status=0
for pid in $pids; do
    wait "$pid" || status=$?
done
cat "$work"/*
exit $status
