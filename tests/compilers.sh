#!/bin/sh
# SPDX-License-Identifier: MIT
# What users build, by each compiler: no warning of compiler or linker, and hardened alike. Then what bot authors build,
# the engine, the SDK and a bot, and the sandbox, at other levels and optimised at link time: no warning, and a match.
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
    for options in -O0 -O1 -O3 '-O2 -flto'; do
        out=$folder/$compiler$(echo "$options" | tr -d ' ')
        fortify=
        [ "$options" = -O0 ] || fortify='-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3' # which asks for optimisation
        cmake -G Ninja -S . -B "$out" -DCMAKE_BUILD_TYPE=None -DCMAKE_C_COMPILER=$compiler \
            "-DCMAKE_C_FLAGS=$options $fortify" >"$out.log" 2>&1 &&
            cmake --build "$out" --target sdk/all sandbox/all bot_greedy bot_greedy_files >>"$out.log" 2>&1 || { cat "$out.log"; exit 1; }
        ! grep -E 'warning:' "$out.log" || { echo "$compiler $options: $out.log has these warnings"; exit 1; }
        "$folder/$compiler/bin/arena" match --games=2 "$out/bots/greedy" "$folder/$compiler/bots/random" >/dev/null
        echo "$compiler $options: no warning"
    done
done
