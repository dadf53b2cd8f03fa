#!/bin/sh
# SPDX-License-Identifier: MIT
# Every kit of `arena new`, in every language: installs what they need (Debian's packages, npm's for
# JavaScript and TypeScript), writes, tests, builds and checks each, and plays 100 games against random.
# usage: languages.sh [BUILD [LANG ...]]
set -eu
cd "$(dirname "$0")/.."
. arena/setup.sh
build=${1:-$PWD/build/release}
[ $# -eq 0 ] || shift
# npm is often there without its Debian package, which would replace node.
needs=$(sed -n 's/^needs //p' sdk/kits/*/kit.txt | sed 's/,/ /g; s/ and / /g; s/\bnpm\b//')
# shellcheck disable=SC2086 # lists of packages
setup_install $packages_to_build $packages_of_bots $needs
command -v npm >/dev/null || setup_install npm
[ -x "$build/bin/arena" ] || setup_build release
[ $# -gt 0 ] || set -- $("$build/bin/arena" new --list | awk '{ print $1 }')
exec env KIT_GAMES=100 sh tests/kits/kits.sh "$build" "$@"
