#!/bin/sh
# The system calls in docs/sandbox.md are those of the program, with their reasons.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

sed -n '/^<!-- calls: begin -->$/,/^<!-- calls: end -->$/p' docs/sandbox.md | sed '1d;$d' >"$work/document"
"$1/bin/arena" doctor --calls >"$work/program"
if ! diff -u "$work/document" "$work/program"; then
    echo "docs/sandbox.md: put what 'arena doctor --calls' prints between its marks"
    exit 1
fi
