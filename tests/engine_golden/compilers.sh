#!/bin/sh
# SPDX-License-Identifier: MIT
# compilers.sh BUILD: gcc without optimisation and with all of it, clang with all of it, and each
# without what only newer processors run, give the engine that tests/golden/ knows. A compiler that
# is not installed is named and left out; one must be there.
set -eu
build=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
checked=0
for compiler in gcc clang; do
    if ! command -v $compiler > /dev/null; then
        echo "$compiler is not installed: left out"
        continue
    fi
    levels="-O3"
    [ $compiler = clang ] || levels="-O0 -O3"
    for level in $levels "-O1 -DFAST_OFF"; do
        $compiler $level -std=gnu11 -D_GNU_SOURCE -I. engine/*.c "$build/engine/lists.c" \
            tests/engine_golden/main.c -o "$work/golden"
        for list in games perft; do
            "$work/golden" $list > "$work/$list"
            cmp "$work/$list" tests/golden/engine-$list.txt
        done
        echo "$compiler $level: the same games and counts"
        checked=$((checked + 1))
    done
done
[ $checked -gt 0 ]
