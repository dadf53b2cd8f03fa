#!/bin/sh
# SPDX-License-Identifier: MIT
# An arena with too few descriptors says so and ends with 1; with enough for one game it plays
# all, fewer at a time if need be. No bot is called guilty, and no process and no copy is left.
. tests/begin.inc
set +e
cd "$folder"
mkdir copies bot
token=fails-$$-token
cp "$build/bots/random/random" bot/random
echo "{\"run\": [\"./random\", \"$token\"]}" >bot/bot.json
export TMPDIR="$folder/copies"
failures=0
for count in 15 20 30 60 100 143 144 152 160 176 192 216 1000; do
    (ulimit -n $count && exec timeout 60 "$arena" match --json --games 4 --jobs 4 \
        bot bot) >out 2>err
    status=$?
    case $status in
    0) [ "$(wc -l <out)" -eq 4 ] && ! grep -v ' at a time$' err ;;
    1) ! grep -v '^arena: ' err && [ "$(grep -vc ' at a time$' err)" -eq 1 ] && failures=$((failures + 1)) ;;
    *) false ;;
    esac || fail "$count descriptors: status $status"
    ! grep -v '"reason":\["played","played"\]' out || fail "$count descriptors: a bot is called guilty"
    [ -z "$(ls copies)" ] || fail "$count descriptors: copies left"
    ! grep -lsa "$token" /proc/[0-9]*/cmdline || fail "$count descriptors: processes left"
done
[ $status -eq 0 ] || fail "1000 descriptors are not enough"
[ $failures -eq 6 ] || fail "$failures of these runs failed, not 6"
echo "$failures runs failed, as they should"
