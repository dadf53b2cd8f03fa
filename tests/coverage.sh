#!/bin/sh
# coverage.sh: how much of engine/ its tests reach, by line and by branch, and what they do not.
# Builds in build/coverage, with gcc and without optimisation. Needs gcovr.
set -eu
cd "$(dirname "$0")/.."
if [ "${1:-}" = --help ]; then
    sed -n '2,3s/^# //p' "$0"
    exit 0
fi
build=build/coverage
rm -rf $build
mkdir -p $build
gcc engine/tables/make_lists.c -o $build/make_lists
$build/make_lists > $build/lists.c
gcc -std=gnu11 -D_GNU_SOURCE -I. -c $build/lists.c -o $build/lists.o
root=$PWD

# Once as it runs on newer processors, once as on others (engine/fast.h).
for fast in FAST_ON FAST_OFF; do
    mkdir $build/$fast
    objects=
    for source in engine/*.c; do
        object=$build/$fast/$(basename "$source" .c).o
        gcc -std=gnu11 -D_GNU_SOURCE -I. -D$fast -O0 -g --coverage -c "$source" -o "$object"
        objects="$objects $object"
    done
    link() {
        output=$1
        shift
        # shellcheck disable=SC2086
        gcc -std=gnu11 -D_GNU_SOURCE -I. -DTEST_SOURCE_DIR="\"$root\"" "$@" $objects \
            $build/lists.o --coverage -o "$build/$fast/$output"
    }
    link test_engine tests/engine/*.c -lcriterion -ljansson -lm
    link fuzz_notation tests/fuzz/notation.c tests/fuzz/corpus_main.c
    link fuzz_choices tests/fuzz/choices.c tests/fuzz/corpus_main.c
    link engine_golden tests/engine_golden/main.c
    $build/$fast/test_engine > $build/engine.log 2>&1 || { cat $build/engine.log; exit 1; }
    $build/$fast/fuzz_notation tests/fuzz/corpus/notation
    $build/$fast/fuzz_choices tests/fuzz/corpus/choices
    $build/$fast/engine_golden games | cmp - tests/golden/engine-games.txt
done
for metric in "" --branches; do
    gcovr --root . --filter 'engine/' --exclude 'tests/' --exclude-throw-branches $metric $build
done
