#!/bin/sh
# SPDX-License-Identifier: MIT
# Installs what package.json names into BUILD/browser, whole or not at all: the fixture of the tests
# of the pages. sh tests/browser/packages.sh BUILD. Status 77: they cannot be installed here.
set -u
build=$(realpath "$1")
here=$(realpath "$(dirname "$0")")
. "$here/browser.sh"
! browser_packages_there || exit 0
command -v npm >/dev/null || browser_skip "no npm: apt-get install nodejs npm"
draft=$build/browser.new
log=$build/browser-npm.log
rm -rf "$draft" "$build/browser"
mkdir "$draft" && cp "$here/package.json" "$here/package-lock.json" "$draft" || exit 1
cd "$draft" || exit 1
# A slow npm ignores SIGTERM while it waits for a registry.
timeout -k 5 "${BROWSER_NPM_SECONDS:-240}" npm ci --no-audit --no-fund >"$log" 2>&1 || {
    rm -rf "$draft"
    browser_skip "npm cannot install tests/browser/package.json: see $log"
}
mv -T "$draft" "$build/browser"
