#!/bin/sh
# SPDX-License-Identifier: MIT
# The home page and the live games as `arena serve --web` serves them, in a browser.
# sh tests/browser/live.sh BUILD. Status 77: it cannot run here.
set -u
build=$(realpath "$1")
here=$(realpath "$(dirname "$0")")
. "$here/browser.sh"
browser_begin
arena=$build/bin/arena
export ARENA_HOME="$room/home"
for name in slow slower; do
    mkdir $name && cp "$build/tests/bots/bench_zero" $name/zero || exit 1
    cat >$name/bot.json <<END # 250 ms a decision
{"name": "$name", "version": "1", "author": "a", "language": "C", "run": ["./zero", "250000"]}
END
    "$arena" submit --check-games 1 $name >/dev/null || exit 1
done
"$arena" season new cup --players 2 --budget 1000 --live-delay 0 >/dev/null || exit 1
"$arena" serve --web 127.0.0.1:0 --jobs 1 --every 1 >log 2>&1 &
daemon=$!
for _ in $(seq 300); do
    address=$(sed -n 's/.*listens at //p' log)
    [ -n "$address" ] && [ -e home/web/site/index.html ] && break
    sleep 0.1
done
NODE_PATH=$browser_modules node "$here/live.js" "$address" "$build/browser"
status=$?
[ $status -eq 0 ] || cat log
kill $daemon
wait $daemon
exit $status
