#!/bin/sh
# SPDX-License-Identifier: MIT
# Another C library, another processor, another kernel than those on which the suite runs:
#     sh tests/portable.sh [musl|aarch64|machine|machine-aarch64 ...] [--folder FOLDER]
# musl             engine and SDK, built with musl-gcc, and their tests
# aarch64          arena, bots, SDK and tests by a cross compiler; what starts no program, run by qemu-user
# machine          a virtual machine (qemu, without KVM) with Debian's kernel and control groups of version 2 alone,
#                  delegated to root and to an ordinary user in turn: doctor, a match, the sandbox's tests
# machine-aarch64  such a machine with the programs that aarch64 built
# Without words musl and aarch64. FOLDER keeps what is built and unpacked for the next run; all of it lies there.
set -eu
cd "$(dirname "$0")/.."
. arena/setup.sh
tree=$PWD folder= parts=
while [ $# -gt 0 ]; do
    case $1 in
    --folder) folder=$2 && shift ;;
    musl | aarch64 | machine | machine-aarch64) parts="$parts $1" ;;
    *) sed -n 's/^# \{0,1\}//; 3,11p' "$0" >&2 && exit 2 ;;
    esac
    shift
done
if [ -z "$folder" ]; then
    folder=$(mktemp -d)
    trap 'rm -rf "$folder"' EXIT
fi
mkdir -p "$folder"
folder=$(realpath "$folder")

# root_of ARCHITECTURE TRIPLE: Debian's libraries and a kernel for it, unpacked, in $folder/ARCHITECTURE; no script of theirs runs
root_of() {
    libraries=$(echo $packages_to_build libcriterion-dev linux-image-cloud-$1 busybox-static util-linux |
        sed 's/\<\(gcc\|cmake\|ninja-build\|pkg-config\) //g; s/ /,/g')
    setup_install mmdebstrap
    [ -e "$folder/$1/bin/busybox" ] ||
        mmdebstrap --quiet --variant=extract --architectures="$1" --include="$libraries" bookworm "$folder/$1"
}

# golden BUILD [RUN]: the engine plays what tests/golden says, by the command RUN
golden() {
    RUN_WITH="${2-}" sh tests/engine_golden/compare.sh "$1"
}

try_musl() {
    version=$(sed -n 's|^project(pavilion VERSION \([0-9.]*\) .*|\1|p' CMakeLists.txt)
    setup_install gcc musl-tools libcriterion-dev libmsgpack-dev
    out=$folder/musl
    mkdir -p "$out/include" "$out/bin" "$out/bots/random"
    cp -r /usr/include/criterion /usr/include/msgpack* "$out/include" # headers that any C library compiles
    gcc -I. engine/tables/make_lists.c -o "$out/make_lists"
    "$out/make_lists" >"$out/lists.c"
    set -- musl-gcc -O2 -g -std=gnu11 -D_GNU_SOURCE -Wall -Wextra -Wno-unused-parameter -Wno-missing-field-initializers \
        -Werror -fno-strict-aliasing -I. "-I$out/include" "-DSDK_VERSION=\"$version\"" "-DTABLES_FOLDER=\"$tree/sdk/steady/tables\"" \
        "-DTEST_SOURCE_DIR=\"$tree\"" "-DTEST_BINARY_DIR=\"$out\""
    engine="engine/*.c $out/lists.c" sdk="sdk/*.c sdk/steady/*.c"
    "$@" -static $engine tests/engine_golden/main.c -o "$out/bin/engine_golden"
    golden "$out"
    "$@" $engine tests/engine/*.c tests/criterion.c -o "$out/test_engine"
    "$out/test_engine"
    "$@" -static $engine $sdk bots/random/*.c -o "$out/bots/random/random"
    # Without bots.c, which takes jansson.
    "$@" $engine $sdk $(ls tests/sdk/*.c | grep -v -e /bots.c -e /piped_bot.c) tests/criterion.c -o "$out/test_sdk"
    "$out/test_sdk"
}

build_aarch64() {
    setup_install $packages_to_build gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user-static
    root_of arm64
    root=$folder/arm64 out=$folder/aarch64
    export PKG_CONFIG_LIBDIR="$root/usr/lib/aarch64-linux-gnu/pkgconfig:$root/usr/share/pkgconfig" PKG_CONFIG_SYSROOT_DIR="$root"
    {
        cmake -G Ninja -S . -B "$out" -DCMAKE_BUILD_TYPE=Release -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR=aarch64 \
            -DCMAKE_C_COMPILER=aarch64-linux-gnu-gcc -DCMAKE_SYSROOT="$root" -DCMAKE_FIND_ROOT_PATH_MODE_PROGRAM=NEVER \
            "-DCMAKE_CROSSCOMPILING_EMULATOR=qemu-aarch64-static;-L;$root" &&
            cmake --build "$out" --target arena bots/all sdk/all tests/fuzz/all engine_golden naive_agree simulate_rating \
                test_base test_bots test_engine test_person test_rating test_replay test_report test_sandbox test_sandbox_child \
                test_sandbox_steps test_sdk test_store
    } >"$out.log" 2>&1 || { tail -n 40 "$out.log"; exit 1; }
    ! grep 'warning:' "$out.log" || exit 1
}

try_aarch64() {
    build_aarch64
    golden "$out" "qemu-aarch64-static -L $root"
    # Not what starts a program of the build, which qemu-user cannot do without the kernel's help: machine-aarch64 does.
    qemu-aarch64-static -L "$root" "$out/bin/test_sdk" '-bots/*' '-sdk_run/*'
    qemu-aarch64-static -L "$root" "$out/bin/test_sandbox" 'rulings/*'
    qemu-aarch64-static -L "$root" "$out/bin/test_store" # longer than ctest lets it run
    ctest --test-dir "$out" --output-on-failure \
        -R '^(base|bots|engine|person|rating|replay|report|sandbox_steps|naive\.agree|rating_simulation\.(balance|coverage)|fuzz\..*)$'
}

# boot ARCHITECTURE TRIPLE BUILD QEMU...: starts a machine whose memory holds Debian's libraries and the programs of BUILD
boot() {
    setup_install cpio
    root=$folder/$1 triple=$2 build=$3 room=$folder/machine-$1
    shift 3
    rm -rf "$room"
    mkdir -p "$room$build/bin" "$room$build/bots" "$room$build/sandbox" "$room$tree/tests"
    cp "$build"/bin/arena "$build"/bin/test_sandbox* "$room$build/bin"
    cp -r "$build"/bots/random "$build"/bots/greedy "$room$build/bots"
    cp "$build"/sandbox/attempt "$build"/sandbox/keeper "$room$build/sandbox"
    cp -r tests/golden "$room$tree/tests"
    install -m 755 tests/machine.sh "$room/init"
    echo "$build" >"$room/build"
    (
        cd "$root"
        { echo usr && echo usr/lib; find bin sbin lib lib64 etc usr/bin usr/sbin "usr/lib/$triple" -not -path 'lib/modules*' -not -name '*.a' || true; } |
            cpio --quiet -o -H newc
    ) 2>/dev/null >"$room.cpio"
    (cd "$room" && find . | cpio --quiet -o -H newc) >>"$room.cpio"
    timeout 3600 "$@" -m 3G -smp 2 -nographic -no-reboot -kernel "$root"/boot/vmlinuz-* -initrd "$room.cpio" </dev/null >"$room.log" 2>&1 || true
    tr -d '\r' <"$room.log" | sed -n '/^== /,$p'
    grep -q '^== all holds' "$room.log"
}

try_machine() {
    setup_install $packages_to_build libcriterion-dev qemu-system-x86
    root_of amd64
    cmake -G Ninja -S . -B "$folder/x86_64" -DCMAKE_BUILD_TYPE=Release >/dev/null
    cmake --build "$folder/x86_64" --target arena bot_random/all bot_greedy/all test_sandbox test_sandbox_steps test_sandbox_child >"$folder/x86_64.log"
    boot amd64 x86_64-linux-gnu "$folder/x86_64" qemu-system-x86_64 -append 'console=ttyS0 panic=-1 quiet no_timer_check'
}

try_machine_aarch64() {
    setup_install qemu-system-arm
    build_aarch64
    boot arm64 aarch64-linux-gnu "$folder/aarch64" qemu-system-aarch64 -machine virt -cpu cortex-a72 -append 'console=ttyAMA0 panic=-1 quiet'
}

failed=0
for part in ${parts:-musl aarch64}; do
    began=$(date +%s)
    set +e
    (set -e; "try_$(echo "$part" | tr - _)")
    status=$?
    set -e
    [ $status = 0 ] && verdict=holds || verdict='DOES NOT HOLD' failed=1
    echo "$part $verdict ($(($(date +%s) - began)) s)"
done
exit $failed
