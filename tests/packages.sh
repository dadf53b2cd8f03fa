#!/bin/sh
# SPDX-License-Identifier: MIT
# The packages of Debian: built twice, in two folders, to the same bytes, hardened; without a complaint of lintian;
# installed in a bare Debian 12, where a season is played, the daemon and the web process take a bot as their
# users, programs find the SDK and the Python package, pip builds and installs the latter from the sources;
# a newer version keeps the league, and a purge leaves its data and says where.
# As root, with network for debootstrap. Takes a quarter of an hour.
#     sh tests/packages.sh [FOLDER]
set -eu
cd "$(dirname "$0")/.."
# Mounts of its own: what is mounted here ends with the script.
[ -n "${PACKAGES_APART-}" ] || PACKAGES_APART=1 exec unshare --mount sh "$0" "$@"
. arena/setup.sh
setup_install debhelper dh-python lintian dpkg-dev debootstrap $packages_to_build libpq-dev python3-dev clang lld \
    wasi-libc libclang-rt-14-dev-wasm32 lowdown
folder=$(realpath "${1:-$(mktemp -d)}")

for build in first second; do
    mkdir -p "$folder/$build.tmp"
    TMPDIR=$folder/$build.tmp sh arena/packaging/deb.sh "$folder/$build" >"$folder/$build.log" 2>&1
done
(cd "$folder/first" && sha256sum ./*.deb) >"$folder/sums"
(cd "$folder/second" && sha256sum -c "$folder/sums")
mkdir -p "$folder/inside"
for package in "$folder"/first/*.deb; do
    case $package in *-dbgsym_*) ;; *) dpkg-deb -x "$package" "$folder/inside" ;; esac
done
/usr/bin/python3 tests/form/hardening.py "$folder/first.log" "$folder/inside"
lintian --fail-on error,warning --display-info "$folder"/first/*.changes

[ -d "$folder/tree" ] || debootstrap --variant=minbase bookworm "$folder/tree" >"$folder/debootstrap.log"
in_tree() { env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root DEBIAN_FRONTEND=noninteractive chroot "$folder/tree" "$@"; }
mkdir -p "$folder/tree/packages"
cp "$folder"/first/*.deb "$folder/tree/packages"
mount -t proc proc "$folder/tree/proc"
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
    # As the units start them; a bot comes over the network.
    install -d -o arena -g arena -m 750 /run/arena
    setpriv --reuid arena --regid arena --clear-groups env ARENA_HOME=/var/lib/arena arena serve --jobs 1 \
        --site /var/lib/arena-site/web --desk /run/arena/desk >/tmp/serve.log 2>&1 & daemon=$!
    setpriv --reuid arena-web --regid arena-web --groups "$(id -g arena)" arena web --listen 18765 \
        --site /var/lib/arena-site/web --desk /run/arena/desk >/tmp/web.log 2>&1 & web=$!
    trap "kill $daemon $web 2>/dev/null; wait" EXIT
    run arena author new ada >/dev/null
    ARENA_TOKEN=$(run arena author token ada)
    export ARENA_TOKEN
    rm -rf /tmp/mine
    arena new --lang python /tmp/mine >/dev/null
    for try in 1 2 3 4 5 6 7 8 9 10; do
        ! arena submit --to http://127.0.0.1:18765 --wait /tmp/mine >/tmp/submit.log 2>&1 || break
        sleep 2
    done
    run arena bots | grep mine || { cat /tmp/submit.log /tmp/serve.log /tmp/web.log; exit 1; }
    kill $web && kill $daemon && wait $daemon
    trap - EXIT
    cd /tmp
    printf "#include <sdk/sdk.h>\n#include <stdio.h>\nint main(void) { puts(sdk_version()); return 0; }\n" >version.c
    cc version.c $(pkg-config --cflags --libs pavilion-sdk) -o version && ./version
    mkdir -p found && printf "cmake_minimum_required(VERSION 3.25)\nproject(found C)\nfind_package(Pavilion REQUIRED)\nadd_executable(version ../version.c)\ntarget_link_libraries(version Pavilion::sdk)\n" >found/CMakeLists.txt
    cmake -S found -B found/build >/dev/null && cmake --build found/build >/dev/null && found/build/version'
# pip in a fresh virtual environment, without an index: tests/python/venv.sh.
mkdir -p "$folder/tree/source"
tar -cf - CMakeLists.txt LICENSE engine sdk bots tests/python tests/golden | tar -xf - -C "$folder/tree/source"
in_tree sh -ec 'apt-get -qq install -y python3-venv python3-dev python3-numpy python3-msgpack >/dev/null
    sh /source/tests/python/venv.sh'
# Under systemd, in a machine of its own: the services run as their users; an upgrade in the middle of a season
# starts them anew and keeps the league to the byte of what it says; a purge stops them and says where it leaves the data.
TMPDIR=$folder/second.tmp sh arena/packaging/deb.sh "$folder/tree/newer" +1 >"$folder/newer.log" 2>&1
in_tree sh -c 'apt-get -qq install -y --no-install-recommends systemd systemd-sysv systemd-container dbus curl >/dev/null'
umount "$folder/tree/proc"
libraries=$folder/tree/usr/lib/$(dpkg-architecture -qDEB_HOST_MULTIARCH)
"$folder"/tree/lib*/ld-linux-*.so.* --library-path "$libraries:$libraries/systemd" "$folder/tree/usr/bin/systemd-nspawn" \
    -D "$folder/tree" --boot --register=no --keep-unit --console=pipe \
    --system-call-filter="landlock_create_ruleset landlock_add_rule landlock_restrict_self" </dev/null >"$folder/boot.log" 2>&1 & machine=$!
trap 'kill $machine; wait $machine || true' EXIT
in_machine() {
    nsenter -t "$(pgrep -P $machine)" -m -u -i -p -C env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root DEBIAN_FRONTEND=noninteractive "$@"
}
# wait_for COMMAND...: at most five minutes.
wait_for() {
    for try in $(seq 300); do
        ! "$@" >/dev/null 2>&1 || return 0
        sleep 1
    done
    echo "five minutes are over: $*"
    return 1
}
wait_for in_machine test -S /run/systemd/private
in_machine systemctl start arena arena-web
in_machine sh -ec '
    run() { runuser -u arena -- env ARENA_HOME=/var/lib/arena arena "$@"; }
    tell() { run ladder cup; run bots; run author list; }
    pids() { systemctl show -p MainPID --value arena arena-web | xargs; }
    run season new during --budget 400 >/dev/null
    tell >/before
    old=$(dpkg-query -W -f "\${Version}" pavilion) started=$(pids)
    apt-get -qq install -y /newer/*.deb >/dev/null
    test "$(dpkg-query -W -f "\${Version}" pavilion pavilion-bots libpavilion-sdk-dev)" = "$old+1$old+1$old+1"
    systemctl is-active arena arena-web
    test "$(pids)" != "$started"
    ps -o user:16=,args= -p "$(systemctl show -p MainPID --value arena),$(systemctl show -p MainPID --value arena-web)" | grep -cE "^arena(-web)? " | grep -qx 2
    tell | diff /before -
    curl -sS --unix-socket /run/arena-web/http http://localhost/ | grep "<title>"'
wait_for in_machine sh -c 'runuser -u arena -- env ARENA_HOME=/var/lib/arena arena season show during | grep "^left *0 games"'
in_machine sh -ec '
    runuser -u arena -- env ARENA_HOME=/var/lib/arena arena store check
    apt-get -qq purge -y pavilion pavilion-bots 2>&1 | grep "left in /var/lib/arena"
    test -e /var/lib/arena/arena.db
    ! pgrep -u arena,arena-web -l'
echo "packages: installed, played, upgraded, purged"
