#!/bin/sh
# The units of docs/operations.md are ones that systemd takes; what a unit can restrict beyond it is
# imitated one by one: `arena doctor` names it.
set -eu
build=$(realpath "$1")
here=$(dirname "$0")
room=$(mktemp -d)
trap 'rm -r "$room"' EXIT
if command -v systemd-analyze >/dev/null; then
    for unit in arena arena-web; do
        sed "s|/usr/local/bin/arena|$build/bin/arena|; /^User=/d" arena/units/$unit.service >"$room/$unit.service"
        systemd-analyze verify --man=no "$room/$unit.service" >"$room/said" 2>&1 || true
        ! grep "$unit.service:" "$room/said" || exit 1
    done
    sed "s|/usr/local/bin/arena|$build/bin/arena|; /^User=/d" docs/operations.md |
        awk -v room="$room" '/^```ini$/ { unit = room "/arena" ++count ".service"; next }
            /^```$/ { unit = "" } unit { print >unit }'
    for unit in "$room/arena1.service"; do
        grep -q '^\[Service\]$' "$unit" || { echo 'docs/operations.md does not have a unit of a worker'; exit 1; }
        systemd-analyze verify --man=no "$unit" >"$room/said" 2>&1 || true
        ! grep 'arena1.service' "$room/said" || exit 1
    done
fi
[ "$(id -u)" -eq 0 ] || { echo 'only root can imitate a service unit'; exit 77; }
python3 "$here/unit.py" "$build"
