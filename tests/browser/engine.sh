#!/bin/sh
# SPDX-License-Identifier: MIT
# The WebAssembly engine of the page for playing: sh tests/browser/engine.sh BUILD [GAMES LOOKS]. It
# plays the same games as the native engine, and passes the engine's tests; so does maestro at the same
# number of rollouts: GAMES of them (3), thinking as long as LOOKS says (bots/browser/browser.h). A
# hundred games at the strength of the page take minutes, by a release build:
#     sh tests/browser/engine.sh build/release 100 5000
# Status 77: it cannot run here.
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
    "$build/bin/arena" publish "$room/site" >/dev/null || exit 1
engine() {
    node --no-warnings "$here/engine.js" "$room/site/play.html" "$@"
}
"$build/bin/table_games" 100 >"$room/native" && engine "$room/native" 100 &&
    "$build/bin/table_games" "${2:-3}" "${3:-200}" >"$room/maestro" && engine "$room/maestro" "${2:-3}" "${3:-200}" &&
    engine "$build/tests/browser/engine_tests.wasm"
