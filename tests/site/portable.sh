#!/bin/sh
# SPDX-License-Identifier: MIT
# The archive of the program is the same when it is made again, and plays where nothing else of the
# arena is: its own bots, and one made of its SDK. Status 77: there is no release build.
. tests/begin.inc
release=$(dirname "$build")/release
[ -f "$release/build.ninja" ] || {
    echo "skipped: no release build in $release"
    exit 77
}
cmake --build "$release" --target arena/all bots/all sdk/all >"$folder/log" 2>&1 || fail "the release build"
for name in first second; do
    sh arena/packaging/portable.sh "$release" "$folder/$name.tar.gz" || fail "not packed"
done
cmp "$folder/first.tar.gz" "$folder/second.tar.gz" || fail "another archive for the same program"
[ "$(stat -c %s "$folder/first.tar.gz")" -lt 8000000 ] || fail "the archive is larger than 8 MB"
cd "$folder"
tar xzf first.tar.gz
arena=$folder/arena-x86_64/bin/arena
"$arena" match --json greedy steady >match || fail "no match"
grep -q '"played","played"' match || fail "$(cat match)"
