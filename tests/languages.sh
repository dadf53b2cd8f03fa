#!/bin/sh
# Every kit of `arena new`, in every language: installs what they need (Debian's packages, npm's for
# JavaScript and TypeScript), writes, tests, builds and checks each, and plays 100 games against random.
# usage: languages.sh [BUILD [LANG ...]]
set -eu
cd "$(dirname "$0")/.."
. arena/setup.sh
build=${1:-$PWD/build/release}
[ $# -eq 0 ] || shift
setup_install $packages_to_build $packages_of_bots g++ make nodejs cargo rustc librust-serde-dev \
    librust-serde-derive-dev librust-rmp-serde-dev golang-go \
    golang-github-vmihailenco-msgpack.v5-dev default-jdk-headless libmsgpack-java ruby ruby-msgpack \
    mono-runtime mono-mcs libmono-system-core4.0-cil
command -v npm >/dev/null || setup_install npm
[ -x "$build/bin/arena" ] || setup_build release
[ $# -gt 0 ] || set -- $("$build/bin/arena" new --list | awk '{ print $1 }')
exec env KIT_GAMES=100 sh tests/kits/kits.sh "$build" "$@"
