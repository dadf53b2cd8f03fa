#!/bin/sh
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
kill -INT $playing 2>/dev/null || true
wait $playing || true
if grep 'could not be played' "$log"; then
    exit 1
fi
