#!/bin/sh
# An arena with too few descriptors says so and ends with 1; with enough for one game it plays
# all, fewer at a time if need be. No bot is called guilty, and no process and no copy is left.
set -u
arena=$(realpath "$1")/bin/arena
random=$(realpath "$1")/bots/random/random
room=$(mktemp -d)
trap 'rm -r "$room"' EXIT
cd "$room" || exit 1
mkdir copies bot
token=fails-$$-token
cp "$random" bot/random
echo "{\"run\": [\"./random\", \"$token\"]}" >bot/bot.json
export TMPDIR="$room/copies"
failures=0
for count in 15 20 30 60 100 143 144 152 160 176 192 216 1000; do
    (ulimit -n $count && exec timeout 60 "$arena" match --json --games 4 --jobs 4 \
        bot bot) >out 2>err
    status=$?
    case $status in
    0) [ "$(wc -l <out)" -eq 4 ] && ! grep -v ' at a time$' err ;;
    1) ! grep -v '^arena: ' err && [ "$(grep -vc ' at a time$' err)" -eq 1 ] && failures=$((failures + 1)) ;;
    *) false ;;
    esac || { echo "$count descriptors: status $status"; cat err; exit 1; }
    if grep -v '"reason":\["played","played"\]' out; then
        echo "$count descriptors: a bot is called guilty"
        exit 1
    fi
    [ -z "$(ls copies)" ] || { echo "$count descriptors: copies left"; exit 1; }
    if grep -lsa "$token" /proc/[0-9]*/cmdline; then
        echo "$count descriptors: processes left"
        exit 1
    fi
done
[ $status -eq 0 ] || { echo "1000 descriptors are not enough: $(cat err)"; exit 1; }
[ $failures -eq 6 ] || { echo "$failures of these runs failed, not 6"; exit 1; }
echo "$failures runs failed, as they should"
