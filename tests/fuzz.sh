#!/bin/sh
# SPDX-License-Identifier: MIT
# fuzz.sh: runs fuzz targets (tests/fuzz), all unless some are named, one after the other for so many seconds each: nine
# tenths in the preset fuzz-fast, whose checks cost little, the rest with AddressSanitizer in the preset fuzz, on one
# corpus, which grows in build/fuzz/grown/NAME. A finding (a crash, a leak, 30 seconds or 2 GB for one input) ends the
# preset's turn and is kept in build/fuzz/findings. Status 1: there are findings.
#
# usage: sh tests/fuzz.sh SECONDS [NAME ...]
set -eu
cd "$(dirname "$0")/.."
. arena/setup.sh
seconds=${1:?usage: sh tests/fuzz.sh SECONDS [NAME ...]}
shift
[ $# -gt 0 ] || set -- $(basename -s .c tests/fuzz/*.c | grep -v '^corpus_main$')
setup_install $packages_to_build libcriterion-dev clang
setup_build fuzz-fast $(printf 'fuzz_%s ' "$@")
setup_build fuzz $(printf 'fuzz_%s ' "$@")
findings=build/fuzz/findings
mkdir -p $findings

# turn PRESET SECONDS NAME: adds to executed, took and found
turn()
{
    words=tests/fuzz/$3.dict
    case $3 in dialog | replay) words=tests/fuzz/wire.dict ;; esac
    [ ! -f $words ] || set -- "$@" -dict=$words
    log=build/fuzz/$3.$1.log prefix=$findings/$3.$1- began=$(date +%s)
    binary=build/$1/bin/fuzz_$3 time=$2 name=$3
    shift 3
    $binary "$@" -max_total_time="$time" -timeout=30 -rss_limit_mb=2048 -print_final_stats=1 \
        -artifact_prefix=$prefix build/fuzz/grown/$name tests/fuzz/corpus/$name >$log 2>&1 || found=$((found + 1))
    took=$((took + $(date +%s) - began))
    units=$(sed -n "s/^stat::number_of_executed_units: *//p" $log)
    executed=$((executed + ${units:-0}))
}

all=0
printf '%-12s %14s %8s %8s\n' target executions seconds findings
for target; do
    mkdir -p build/fuzz/grown/$target
    executed=0 took=0 found=0
    turn fuzz-fast $((seconds - seconds / 10)) $target
    turn fuzz $((seconds / 10)) $target
    printf '%-12s %14d %8d %8d\n' $target $executed $took $found
    all=$((all + found))
done
[ $all = 0 ] || echo "findings: $findings; what each said: build/fuzz/*.log"
[ $all = 0 ]
