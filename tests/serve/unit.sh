#!/bin/sh
# The unit of docs/operations.md is one that systemd takes; what a unit can restrict beyond it is
# imitated one by one: `arena doctor` names it.
set -eu
build=$(realpath "$1")
here=$(dirname "$0")
room=$(mktemp -d)
trap 'rm -r "$room"' EXIT
if command -v systemd-analyze >/dev/null; then
    sed -n '/^```ini$/,/^```$/p' docs/operations.md | sed '/^```/d' |
        sed "s|/usr/local/bin/arena|$build/bin/arena|; /^User=/d" >"$room/arena.service"
    grep -q '^\[Service\]$' "$room/arena.service" || { echo 'docs/operations.md has no unit'; exit 1; }
    systemd-analyze verify --man=no "$room/arena.service" >"$room/said" 2>&1 || true
    ! grep 'arena.service' "$room/said" || exit 1
fi
[ "$(id -u)" -eq 0 ] || { echo 'only root can imitate a service unit'; exit 77; }
python3 "$here/unit.py" "$build"
