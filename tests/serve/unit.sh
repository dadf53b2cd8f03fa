#!/bin/sh
# SPDX-License-Identifier: MIT
# systemd accepts the units. Settings that a unit could add are imitated one by one: `arena doctor`
# names each that stands in the sandbox's way.
set -eu
build=$(realpath "$1")
here=$(dirname "$0")
# Whoever reaches the desk's socket can keep the desk busy: only the web process may.
grep -qx RuntimeDirectoryMode=0750 arena/units/arena.service && grep -qx SupplementaryGroups=arena arena/units/arena-web.service
# The web process keeps the folder of the desk's socket open, also while the daemon is started again.
grep -qx RuntimeDirectoryPreserve=yes arena/units/arena.service
# A process whose loop tells that it turns has a watchdog, and systemd waits for it to be ready; another unit says why not.
for unit in arena arena-worker; do
    grep -qx WatchdogSec=60 arena/units/$unit.service && grep -qx Type=notify arena/units/$unit.service
done
grep -q '^# No watchdog: ' arena/units/arena-web.service
room=$(mktemp -d)
trap 'rm -r "$room"' EXIT
# systemd stops starting a unit that failed five times within ten seconds, as while a store is away.
for unit in arena arena-web arena-worker; do
    grep -qE '^(StartLimitIntervalSec=0|RestartSec=30)$' arena/units/$unit.service
done
if command -v systemd-analyze >/dev/null; then
    for unit in arena arena-web arena-worker; do
        sed "s|/usr/local/bin/arena|$build/bin/arena|; /^User=/d" arena/units/$unit.service >"$room/$unit.service"
        systemd-analyze verify --man=no "$room/$unit.service" >"$room/said" 2>&1 || true
        ! grep "$unit.service:" "$room/said" || exit 1
    done
fi
[ "$(id -u)" -eq 0 ] || { echo 'only root can imitate a service unit'; exit 77; }
python3 "$here/unit.py" "$build"
