#!/bin/sh
# SPDX-License-Identifier: MIT
# compare.sh BUILD: this build's engine plays what tests/golden/ says; another processor's by the command $RUN_WITH.
set -eu
build=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for list in games perft; do
    ${RUN_WITH-} "$build/bin/engine_golden" $list > "$work/$list"
    cmp "$work/$list" tests/golden/engine-$list.txt
done
echo "the same games and counts"
