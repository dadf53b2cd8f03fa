#!/bin/sh
# SPDX-License-Identifier: MIT
# The packages of Debian: built twice, in two folders, to the same bytes; without a complaint of lintian;
# installed in a bare Debian 12, where a season is played, programs find the SDK and the Python package,
# and a purge leaves the league's data. As root, with network for debootstrap. Takes five minutes.
#     sh tests/packages.sh [FOLDER]
set -eu
cd "$(dirname "$0")/.."
. arena/setup.sh
setup_install debhelper dh-python lintian dpkg-dev debootstrap $packages_to_build libpq-dev python3-dev clang lld \
    wasi-libc libclang-rt-14-dev-wasm32 lowdown
folder=$(realpath "${1:-$(mktemp -d)}")
trap 'umount "$folder/tree/proc" 2>/dev/null || true' EXIT

for build in first second; do
    mkdir -p "$folder/$build.tmp"
    TMPDIR=$folder/$build.tmp sh arena/packaging/deb.sh "$folder/$build" >"$folder/$build.log" 2>&1
done
(cd "$folder/first" && sha256sum ./*.deb) >"$folder/sums"
(cd "$folder/second" && sha256sum -c "$folder/sums")
lintian --fail-on error,warning --display-info "$folder"/first/*.changes

[ -d "$folder/tree" ] || debootstrap --variant=minbase bookworm "$folder/tree" >"$folder/debootstrap.log"
in_tree() { env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root DEBIAN_FRONTEND=noninteractive chroot "$folder/tree" "$@"; }
mkdir -p "$folder/tree/packages"
cp "$folder"/first/*.deb "$folder/tree/packages"
mountpoint -q "$folder/tree/proc" || mount -t proc proc "$folder/tree/proc"
in_tree apt-get -qq update
in_tree sh -c 'apt-get -qq install -y /packages/*.deb gcc libc6-dev pkg-config cmake make >/dev/null'
in_tree arena --version
in_tree sh -ec '
    export ARENA_HOME=/var/lib/arena
    run() { setpriv --reuid arena --regid arena --clear-groups env ARENA_HOME=/var/lib/arena "$@"; }
    run arena season new cup --budget 40 >/dev/null
    for bot in greedy random steady greedy-python; do
        run arena submit /usr/libexec/pavilion/bots/$bot --ranked >/dev/null
    done
    run arena season run cup >/dev/null
    run arena ladder cup
    run arena publish /var/lib/arena-site/web >/dev/null
    for unit in arena arena-web arena-worker; do
        grep -q "ExecStart=/usr/bin/arena " /lib/systemd/system/$unit.service
    done
    for page in arena.1 arena-season.1 arena-protocol.5 arena-bot.5 arena-api.5; do
        ls /usr/share/man/man${page##*.}/$page.gz >/dev/null
    done
    python3 -c "import pavilion_lab; print(pavilion_lab.__file__)"
    cd /tmp
    printf "#include <sdk/sdk.h>\n#include <stdio.h>\nint main(void) { puts(sdk_version()); return 0; }\n" >version.c
    cc version.c $(pkg-config --cflags --libs pavilion-sdk) -o version && ./version
    mkdir -p found && printf "cmake_minimum_required(VERSION 3.25)\nproject(found C)\nfind_package(Pavilion REQUIRED)\nadd_executable(version ../version.c)\ntarget_link_libraries(version Pavilion::sdk)\n" >found/CMakeLists.txt
    cmake -S found -B found/build >/dev/null && cmake --build found/build >/dev/null && found/build/version'
in_tree sh -ec 'apt-get -qq install -y --reinstall /packages/*.deb >/dev/null
    runuser -u arena -- env ARENA_HOME=/var/lib/arena arena ladder cup >/dev/null'
in_tree sh -c 'apt-get -qq purge -y pavilion pavilion-bots >/dev/null && test -e /var/lib/arena/arena.db'
echo "packages: installed, played, upgraded, purged"
