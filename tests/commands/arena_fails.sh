#!/bin/sh
# An arena that runs out of descriptors at some point of some start: it says so in one line
# and ends with 1, no bot is called guilty, and no process and no copy is left. With enough of
# them everything is played.
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
for count in $(seq 15 38) 45 52 59 66 73 80 87 94 101 108 115 122 129 136 143 1000; do
    (ulimit -n $count && exec timeout 60 "$arena" match --json --games 4 --jobs 4 \
        bot bot) >out 2>err
    status=$?
    case $status in
    0) [ "$(wc -l <out)" -eq 4 ] && ! grep -v 'games at a time: the limit on' err ;;
    1) [ "$(wc -l <err)" -eq 1 ] && grep -q '^arena: ' err && failures=$((failures + 1)) ;;
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
[ $failures -gt 5 ] || { echo "only $failures of these runs failed: the table tests nothing"; exit 1; }
echo "$failures runs failed, as they should"
