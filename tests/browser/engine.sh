#!/bin/sh
# The WebAssembly engine of the page for playing: sh tests/browser/engine.sh BUILD. It plays the same
# games as the native engine, and passes the engine's tests. Status 77: it cannot run here.
set -u
build=$(realpath "$1")
here=$(realpath "$(dirname "$0")")
. "$here/browser.sh"
[ -e "$build/tests/browser/engine_tests.wasm" ] ||
    browser_skip "no WebAssembly: apt-get install clang lld wasi-libc libclang-rt-14-dev-wasm32"
command -v node >/dev/null || browser_skip "no node: apt-get install nodejs"
room=$(mktemp -d)
trap 'rm -rf "$room"' EXIT
export ARENA_HOME="$room/home"
"$build/bin/arena" season new empty --budget 2 >/dev/null &&
    "$build/bin/arena" publish "$room/site" >/dev/null &&
    "$build/bin/table_games" 100 >"$room/native" &&
    node --no-warnings "$here/engine.js" "$room/site/play.html" "$room/native" \
        "$build/tests/browser/engine_tests.wasm"
