#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds a container's image (OCI) from what is committed.
set -eu

usage="usage: sh arena/packaging/image.sh NAME [OPTION...]

Builds the image NAME with podman, or with the program that ENGINE names; it gets the OPTIONs of its
command build, such as --build-arg BASE=IMAGE for another Debian 12 to begin with."
case ${1:--} in
-*)
    echo "$usage" >&2
    exit 2
    ;;
esac
name=$1
shift
cd "$(dirname "$0")/../.."
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
git archive HEAD | tar -x -C "$stage"
git rev-parse --short=12 HEAD | tr -d '\n' >"$stage/arena/commit"
"${ENGINE:-podman}" build -t "$name" -f "$stage/arena/packaging/Containerfile" "$@" "$stage"
