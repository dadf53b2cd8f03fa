#!/bin/sh
# compilers.sh BUILD: gcc and clang, without and with all optimisation, and without what only
# newer processors run, give the engine that tests/golden/ knows. A compiler that is not installed is named and left out; one must be there.
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
    for level in -O0 -O3 "-O2 -DFAST_OFF"; do
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
