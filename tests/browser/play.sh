#!/bin/sh
# SPDX-License-Identifier: MIT
# The page for playing in a browser: sh tests/browser/play.sh BUILD. Status 77: it cannot run here.
set -u
build=$(realpath "$1")
here=$(realpath "$(dirname "$0")")
. "$here/browser.sh"
[ -e "$build/tests/browser/engine_tests.wasm" ] ||
    browser_skip "no WebAssembly: apt-get install clang lld wasi-libc libclang-rt-14-dev-wasm32"
browser_begin
export ARENA_HOME="$room/home"
"$build/bin/arena" season new empty --budget 2 >/dev/null &&
    "$build/bin/arena" publish "$room/web" >/dev/null || exit 1
NODE_PATH=$browser_modules node "$here/play.js" "$room"
