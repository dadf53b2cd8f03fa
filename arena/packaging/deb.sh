#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds the packages of Debian from what is committed, without network.
set -eu

usage="usage: sh arena/packaging/deb.sh OUT

Writes the binary packages (.deb), their .changes and .buildinfo into OUT. DEBFULLNAME and DEBEMAIL name
the maintainer; else it is the last commit's author. Needs debhelper, dh-python
and what the project is built with; dpkg-checkbuilddeps names what is missing."
[ $# = 1 ] || {
    echo "$usage" >&2
    exit 2
}
mkdir -p "$1"
out=$(realpath "$1")
cd "$(dirname "$0")/../.."
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
version=$(sed -n 's/^project(pavilion VERSION \([0-9.]*\) .*/\1/p' CMakeLists.txt)
tree=$stage/pavilion-$version

git archive --prefix="pavilion-$version/" HEAD | tar -x -C "$stage"
mv "$tree/arena/packaging/debian" "$tree/debian"
# The SONAME names the package: both numbers before 1.0 (sdk/CMakeLists.txt), the first one after it.
case $version in
0.*) soname=${version%.*} ;;
*) soname=${version%%.*} ;;
esac
maintainer="${DEBFULLNAME:-$(git log -1 --format=%an)} <${DEBEMAIL:-$(git log -1 --format=%ae)}>"
sed -i "s/@SONAME@/$soname/; s/@MAINTAINER@/$maintainer/" "$tree/debian/control"
mv "$tree/debian/libpavilion-sdk.install" "$tree/debian/libpavilion-sdk$soname.install"
commit=$(git rev-parse --short=12 HEAD)
printf %s "$commit" >"$tree/arena/commit"
sed -i "1s/@VERSION@/$version/; s/@COMMIT@/$commit/; s/@DATE@/$(git log -1 --format=%cD)/; s/@MAINTAINER@/$maintainer/" "$tree/debian/changelog"
(cd "$tree" && dpkg-buildpackage -us -uc -b)
find "$stage" -maxdepth 1 -type f -exec mv -t "$out" {} +
