#!/bin/sh
# SPDX-License-Identifier: MIT
# Packs the program for authors who build nothing: one archive for Linux on x86-64.
set -eu

usage="usage: sh arena/packaging/portable.sh BUILD FILE

Writes FILE, a .tar.gz of what \`cmake --install\` installs of BUILD, a release build: arena, the
bundled bots, the SDK, and man pages. \`arena publish --program FILE\` has the site offer it."
[ $# = 2 ] || {
    echo "$usage" >&2
    exit 2
}
build=$1 file=$(realpath "$2") name=arena-x86_64
newest_glibc=2.34 # the site's page promises that this is enough
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT

cmake --install "$build" --prefix "$stage/$name" --strip >/dev/null
cd "$stage/$name"
# Services are for organizers, and the engine for Python is made for one version of Python.
rm -rf lib/systemd lib/sysusers.d lib/python3 share/pavilion/python
# What runs elsewhere may need nothing but the C library, and no newer one than promised.
find . -type f \( -perm -u+x -o -name '*.so*' \) | while read -r program; do
    readelf -h "$program" >/dev/null 2>&1 || continue
    needed=$(readelf -d "$program" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | grep -vE '^(libc|libm)\.so\.6$|^ld-linux' || true)
    [ -z "$needed" ] || {
        echo "$program needs $needed, which other systems may lack: install the library's -dev package with its .a file" >&2
        exit 1
    }
    glibc=$(readelf -V "$program" | grep -o 'GLIBC_2[0-9.]*' | sort -uV | tail -1)
    [ "$(printf '%s\n' "$glibc" "GLIBC_$newest_glibc" | sort -V | tail -1)" = "GLIBC_$newest_glibc" ] || {
        echo "$program needs $glibc, newer than GLIBC_$newest_glibc: build on Debian 12" >&2
        exit 1
    }
done
cat >README.txt <<END
The bot arena Pavilion, for Linux on x86-64 with glibc $newest_glibc or newer (Debian 12, Ubuntu 22.04
and later). Nothing has to be installed: have the shell find it, and see what the machine lacks.

    export PATH="\$PWD/bin:\$PATH"
    arena doctor
    arena match --open greedy steady

The SDK for C and C++ is in include and lib. \`arena submit --to\` also loads libcurl and libarchive,
which most systems have.
END
tar --sort=name --owner=0 --group=0 --numeric-owner --mtime=@946728000 -C "$stage" -cf - "$name" | gzip -9n >"$file"
