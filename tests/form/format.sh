#!/bin/sh
# SPDX-License-Identifier: MIT
# Every C file is laid out as .clang-format says. Other releases of clang-format lay out otherwise: skipped.
set -eu
clang-format --version 2>/dev/null | grep -q 'version 14\.' || { echo "skipped: needs clang-format 14"; exit 77; }
scratch=$(mktemp -d)
trap 'rm -r "$scratch"' EXIT
# First the check is checked.
cp .clang-format "$scratch"
printf 'int f( void ){ return 1; }\n' >"$scratch/planted.c"
! clang-format --dry-run -Werror "$scratch/planted.c" 2>/dev/null || { echo "a planted fault was not found"; exit 1; }
find engine sandbox sdk bots arena tests -name '*.[ch]' -exec clang-format --dry-run -Werror {} + 2>"$scratch/wrong" || {
    grep -A 3 -m 20 error: "$scratch/wrong"
    echo "mend it: clang-format -i FILE"
    exit 1
}
echo "all C files are laid out as .clang-format says"
