#!/bin/sh
# SPDX-License-Identifier: MIT
# Whoever runs out of memory is told the limit, the most it had, and what to do: in a match, a check,
# a build and a trace. What runtimes are told of their limit they keep. $1 is the build folder.
. tests/begin.inc

# run STATUS ARGUMENT...
run() {
    wanted=$1 status=0
    shift
    "$arena" "$@" >"$folder/out" 2>"$folder/err" || status=$?
    [ "$status" = "$wanted" ] || fail "$*: exit status $status"
}

# bot NAME RUN BUILD: both are JSON
bot() {
    mkdir "$folder/$1"
    printf '{"name": "%s", "version": "1", "author": "A", "run": %s%s}' "$1" "$2" \
        "${3:+, \"build\": $3}" >"$folder/$1/bot.json"
}

bot eater '["python3", "-c", "x = bytearray(1 << 27); x[::4096] = bytes(1 << 15)"]'
told='ran out of memory: limit 64 MiB, peak [0-9]* MiB: use less memory; whoever sets the terms can raise the limit with --memory MIB'
grouped=false
"$arena" doctor | grep -q '^PASS *cgroup_memory' && grouped=true
run 0 match --memory 64 "$folder/eater" "$build/bots/random"
if $grouped; then
    grep -q "memory: the bot $told" "$folder/out" || fail 'a match'
    run 1 check --quick --memory 64 "$folder/eater"
    grep -q "memory: the bot $told" "$folder/out" || fail 'a check'
    run 0 check --trace --memory 64 "$folder/eater"
    grep -q 'killed for using too much memory: limit 64 MiB, peak [0-9]* MiB' "$folder/out" || fail 'a trace'
    grep -q 'more with --memory MIB' "$folder/out" || fail 'a trace: what to do'
else # the allocation fails where a group would kill
    grep -q 'exit: the bot exited (status 1): MemoryError' "$folder/out" || fail 'a match without a group'
fi
run 2 check --trace --memory none "$folder/eater"

# A build has 2 GiB, of which it cannot have more than there is.
bot builder '["./made"]' '["python3", "-c", "x = bytearray(4 << 30); x[::4096] = bytes(1 << 20)"]'
if [ "$(awk '/^MemAvailable/ { print int($2 / 1024) }' /proc/meminfo)" -gt 3000 ]; then
    run 2 build "$folder/builder"
    told='the build ran out of memory: limit 2048 MiB, peak [0-9]* MiB: run fewer compilers'
    $grouped || told=MemoryError
    cat "$folder/out" "$folder/err" | grep -q "$told" || fail 'a build'
else
    echo 'less than 3,000 MiB are free: no build that takes 2,048 was tried'
fi

# A bot whose runtime sizes its heap by the machine would die here; by its limit it lives.
if PATH=/usr/local/bin:/usr/bin:/bin command -v node >/dev/null; then
    bot heap '["node", "-e", "console.error(require(\"v8\").getHeapStatistics().heap_size_limit >> 20)"]'
    run 0 match --memory 512 --log "$folder/logs" "$folder/heap" "$build/bots/random"
    limit=$(cat "$folder"/logs/*-heap.log)
    [ "$limit" -gt 256 ] && [ "$limit" -lt 512 ] || fail "node sees $limit MiB of 512"
fi
