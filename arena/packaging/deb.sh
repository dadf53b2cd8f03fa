#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds the packages of Debian from what is committed, without network.
set -eu

usage="usage: sh arena/packaging/deb.sh OUT [REVISION]

Writes the binary packages (.deb), their .changes and .buildinfo into OUT. REVISION, such as +2, goes behind
the version, so that apt takes the packages for newer ones than those without. DEBFULLNAME and DEBEMAIL name
the maintainer; else it is the last commit's author. Needs debhelper, dh-python
and what the project is built with; dpkg-checkbuilddeps names what is missing."
case $#${2-} in
1 | 2+[0-9]*) ;;
*) false ;;
esac || {
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
for file in install symbols; do
    mv "$tree/debian/libpavilion-sdk.$file" "$tree/debian/libpavilion-sdk$soname.$file"
done
sed -i "s/@SONAME@/$soname/g; s/@NODE@/${version%.*}/g; s/@VERSION@/$version/" "$tree/debian/libpavilion-sdk$soname.symbols"
commit=$(git rev-parse --short=12 HEAD)
printf %s "$commit" >"$tree/arena/commit"
sed -i "1s/@VERSION@/$version${2-}/; s/@COMMIT@/$commit/; s/@DATE@/$(git log -1 --format=%cD)/; s/@MAINTAINER@/$maintainer/" "$tree/debian/changelog"
(cd "$tree" && dpkg-buildpackage -us -uc -b)
find "$stage" -maxdepth 1 -type f -exec mv -t "$out" {} +
