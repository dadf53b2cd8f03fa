#!/bin/sh
# SPDX-License-Identifier: MIT
# What users build, by each compiler: no warning of compiler or linker, and hardened alike.
#     sh tests/compilers.sh [FOLDER]
set -eu
cd "$(dirname "$0")/.."
. arena/setup.sh
setup_install $packages_to_build clang
folder=$(realpath "${1:-$(mktemp -d)}")
for compiler in gcc clang; do
    log=$folder/$compiler.log
    cmake -G Ninja -S . -B "$folder/$compiler" -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_COMPILER=$compiler >"$log" 2>&1 &&
        cmake --build "$folder/$compiler" --target arena/all bots/all sdk/all >>"$log" 2>&1 || { cat "$log"; exit 1; }
    ! grep -E 'warning:' "$log" || { echo "$compiler: $log has these warnings"; exit 1; }
    /usr/bin/python3 tests/form/hardening.py "$folder/$compiler"
    echo "$compiler: no warning, hardened"
done
