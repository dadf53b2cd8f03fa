#!/bin/sh
# SPDX-License-Identifier: MIT
# A season on a disk that fills up, and on one that cannot be written: one clear line, a status,
# and every game that was told as played is there, and goes on being the only one of its kind.
if [ "${DISK_TEST_INSIDE-}" != yes ]; then
    # A mount of our own needs root and a mount namespace.
    if [ "$(id -u)" != 0 ] || ! unshare -m true 2>/dev/null; then
        echo "needs root for a mount namespace: not run"
        exit 77
    fi
    DISK_TEST_INSIDE=yes exec unshare -m sh "$0" "$1"
fi

. tests/begin.inc
home=$ARENA_HOME
mkdir "$home"
mount -t tmpfs -o size=2m,mode=0700 tmpfs "$home"
trap 'umount "$home"; rm -r "$folder"' EXIT

played()
{
    "$arena" games full | wc -l
}

# Where copies of bots go: no room for one is no fault of the bot's.
mkdir "$folder/large" "$home/copies"
echo '{"run": ["./bot"]}' >"$folder/large/bot.json"
head -c 3000000 /dev/zero >"$folder/large/bot"
chmod +x "$folder/large/bot"
for bot in "$folder/large" "$folder/large/bot"; do
    expect 1 "copied to $home/copies.*No space left.*set TMPDIR" env TMPDIR="$home/copies" \
        "$arena" match "$bot" "$bot"
    expect 1 "copied to $home/copies.*No space left.*set TMPDIR" env TMPDIR="$home/copies" \
        "$arena" check "$bot"
done
# Nor is a full disk the fault of a bot's build; a fault of the build is, also there.
mkdir "$folder/builder"
echo 'head -c 3000000 /dev/zero >big && exit; exit 3' >"$folder/builder/build"
echo '{"name": "builder", "version": "1", "author": "A", "run": ["./bot"], "build": ["sh", "build"]}' >"$folder/builder/bot.json"
expect 1 "the build found no room on the disk, of which [01] MiB are free, .*set TMPDIR" \
    env TMPDIR="$home/copies" ARENA_HOME="$folder/elsewhere" "$arena" submit "$folder/builder"
echo 'exit 3' >"$folder/builder/build"
expect 2 "the build exited with 3" env TMPDIR="$home/copies" ARENA_HOME="$folder/elsewhere" "$arena" submit "$folder/builder"
rmdir "$home/copies" || fail "copies are left"

for bot in random-lua greedy-perl; do
    expect 0 "" "$arena" submit "$build/bots/$bot"
done
expect 0 "" "$arena" season new full --seed 11111111111111111111111111111111 --budget 200
expect 1 "no room left" "$arena" season run full --jobs 2
first=$(played)
[ "$first" -gt 0 ] || fail "nothing was played before the disk was full"
expect 1 "no room left" "$arena" season run full
[ "$(played)" -ge "$first" ] || fail "games were lost"

# A backup that finds no room leaves nothing: at its first page, or at its last.
mkdir "$folder/small"
mount -t tmpfs -o size=8m tmpfs "$folder/small"
trap '[ -z "$children" ] || { kill -KILL $children; wait; }; umount "$home" "$folder/small"; rm -r "$folder"' EXIT
expect 0 "" "$arena" store backup "$folder/small/copy"
kib=$(($(stat -c %s "$folder/small/copy") / 1024))
rm "$folder/small/copy"
for more in -100 8 20; do
    mount -o remount,size=$((kib + more))k "$folder/small"
    expect 1 "copy cannot be written: No space left on device: make room on its disk" \
        "$arena" store backup "$folder/small/copy"
    [ -z "$(ls "$folder/small")" ] || fail "a backup that failed left $(ls "$folder/small")"
done

mount -o remount,size=200k "$folder/small"
expect 1 "No space left on device: make room on its disk\|cannot be written: make room on its disk" \
    "$arena" export full "$folder/small/files"
rm -r "$folder/small/files"
expect 1 "small/web: the disk that holds this site is full: free space" "$arena" publish "$folder/small/web"
[ ! -e "$folder/small/web" ] || fail "half a site is published"
head -c 1000000 /dev/zero >"$folder/small/filling" 2>/dev/null || true
expect 1 "small/full: the disk that holds this site is full: free space" "$arena" publish "$folder/small/full"
expect 2 "small/mine.*cannot be written: No space left on device: make room on its disk" \
    "$arena" new --lang py "$folder/small/mine"
rm -rf "$folder/small/filling" "$folder/small/mine"

mount -o remount,size=64m "$home"
# A daemon tells a full disk: an error, and a metric until there is room again.
metric() { grep -qsx "pavilion_$1" "$folder/metrics"; }
"$arena" serve --jobs 2 --metrics "$folder/metrics" >"$folder/log" 2>&1 &
children=$!
wait_until "a disk with room is full" 'metric "store_full 0"'
head -c 100000000 /dev/zero >"$home/ballast" 2>/dev/null || true
wait_until "no metric tells a full disk" 'metric "store_full 1"'
grep -q " error.*no room left to write" "$folder/log" || fail "a full disk is no error"
"$arena" status | grep -q "^store  *has no room left on its disk since 2" || fail "the status does not tell a full disk"
rm "$home/ballast"
wait_until "room is not told" 'metric "store_full 0" && grep -q " store back: there is room again" "$folder/log"'
kill $children
wait $children || fail "the daemon ended with a failure"
children=

expect 0 "" "$arena" season run full --jobs 2 --games 10
[ "$(played)" -gt "$first" ] || fail "it does not go on with room again"
kept=$(played)
"$arena" ladder full --csv >"$folder/ladder"
"$arena" games full >"$folder/games" || fail "games full"
awk '{print $1}' "$folder/games" | sort | uniq -d >"$folder/twice"
[ ! -s "$folder/twice" ] || fail "a game counts twice"

mount -o remount,ro "$home"
expect 1 "cannot be written" "$arena" season run full
expect 1 "cannot be written" "$arena" submit "$build/bots/random-lua"
expect 1 "cannot be written" "$arena" retire random-lua
expect 1 "cannot be written" "$arena" season close full
"$arena" ladder full --csv | cmp - "$folder/ladder" || fail "the ladder differs"
mount -o remount,rw "$home"
[ "$(played)" = "$kept" ] || fail "games were lost"
expect 0 "" "$arena" season close full
