#!/bin/sh
# SPDX-License-Identifier: MIT
# What holds before a version is released, in the order of what it costs; a line each, and where the log is.
set -u
cd "$(dirname "$0")/.."

usage="usage: sh tests/release.sh [--quick | LOGS]

Says whether this commit can be released: the tree, the versions, then, in a fresh clone in the folder
LOGS (a new one, unless given), the two commands of README.md and each slower suite that
docs/operations.md lists: hours, as root, on a machine that does nothing else. --quick: tree and versions
only. Exit status 1 if something does not hold."
case ${1-} in
-*) [ "$1" = --quick ] || { echo "$usage" >&2; exit 2; } ;;
esac
[ $# -le 1 ] || { echo "$usage" >&2; exit 2; }

failed=0
holds() { # holds WHAT COMMAND...
    what=$1
    shift
    began=$(date +%s)
    if "$@"; then verdict=holds; else verdict='DOES NOT HOLD' failed=1; fi
    echo "$verdict: $what ($(($(date +%s) - began)) s)"
}

version=$(sed -n 's/^project(pavilion VERSION \([0-9.]*\) .*/\1/p' CMakeLists.txt)
changes=$(sed -n 's/^## //p' docs/changes.md | head -n 1)
holds "the tree is as committed" [ -z "$(git status --porcelain)" ]
case $changes in "$version (20"??-??-??")") dated=true ;; *) dated=false ;; esac
holds "docs/changes.md begins with '$version (its date)'; it has '$changes'" $dated
holds "the tag v$version is this commit" [ "$(git rev-parse -q --verify "v$version^{commit}" || echo none)" = "$(git rev-parse HEAD)" ]
[ "${1-}" != --quick ] || exit $failed

logs=$(realpath "${1:-$(mktemp -d)}")
echo "logs: $logs"
mkdir -p "$logs"
git clone -q . "$logs/tree" || exit 1
cd "$logs/tree" || exit 1
number=0
{
    printf '%s\n' 'sh arena/demo.sh' 'sh tests/run.sh'
    sed -n 's/^| `\(\(sh\|python3\) tests\/[^`]*\)` |.*/\1/p' docs/operations.md
} >"$logs/commands"
while read -r command; do
    number=$((number + 1))
    command=$(echo "$command" | sed "s| FOLDER| $logs/pages|")
    holds "$command" sh -c "$command" </dev/null >"$logs/$number.log" 2>&1
    tail -n 1 "$logs/$number.log"
done <"$logs/commands"
exit $failed
