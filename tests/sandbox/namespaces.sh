#!/bin/sh
# SPDX-License-Identifier: MIT
# Arenas in other PID namespaces (containers that share the control groups) leave ours alone: to them
# the numbers of our processes say nothing.
set -eu
build=$1
arena=$build/bin/arena
bot=$build/bots/random
log=$(mktemp)
trap 'rm -f "$log"' EXIT
unshare -pf --mount-proc true 2>/dev/null || {
    echo 'PID namespaces cannot be made here'
    exit 77
}
"$arena" match --games 100000 --rotate --jobs 3 "$bot" "$bot" >"$log" 2>&1 &
playing=$!
for _ in 1 2 3 4 5 6 7 8 9 10 11 12; do
    unshare -pf --mount-proc "$arena" match --games 1 "$bot" "$bot" >/dev/null
    kill -0 $playing 2>/dev/null || break
done
status=0
kill -INT $playing || status=gone
[ "$status" = gone ] || wait $playing || status=$?
if grep 'failed [0-9]* times' "$log"; then
    exit 1
fi
# It played all the time, and was stopped by us alone.
[ "$status" = 1 ] && grep -q '^arena: stopped after [1-9][0-9]* of 200000 matches$' "$log" || {
    echo "the arena beside them: status $status"
    tail -3 "$log"
    exit 1
}
