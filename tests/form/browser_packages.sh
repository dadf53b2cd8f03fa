#!/bin/sh
# SPDX-License-Identifier: MIT
# The packages of the page tests are installed whole or not at all, whatever npm does: a test that
# runs meanwhile never finds half of them.
set -u
here=$(pwd)/tests/browser
room=$(mktemp -d)
trap 'rm -rf "$room"' EXIT
mkdir "$room/bin" "$room/build"
failures=0

# row NAME STATUS THERE NPM-COMMANDS [SECONDS]: runs packages.sh with this npm, which may take so long.
row() {
    rm -rf "$room/build/browser"
    printf '#!/bin/sh\n%s\n' "$4" >"$room/bin/npm"
    chmod +x "$room/bin/npm"
    BROWSER_NPM_SECONDS=${5:-120} PATH=$room/bin:$PATH build=$room/build \
        sh "$here/packages.sh" "$room/build" >"$room/said" 2>&1
    status=$?
    if [ -e "$room/build/browser/node_modules/axe-core" ]; then there=yes; else there=no; fi
    if [ "$status $there" != "$2 $3" ]; then
        echo "$1: status $status, there: $there; expected $2, $3: $(cat "$room/said")"
        failures=$((failures + 1))
    fi
    if [ "$status" -eq 77 ] && ! grep -q '^skipped: npm cannot install' "$room/said"; then
        echo "$1: skipped without words: $(cat "$room/said")"
        failures=$((failures + 1))
    fi
}

both='mkdir -p node_modules/playwright-core node_modules/axe-core'
row 'npm installs both packages' 0 yes "$both"
row 'npm fails after the first package' 77 no 'mkdir -p node_modules/playwright-core; exit 1'
row 'npm fails after both packages' 77 no "$both; exit 1"
row 'npm is slow and killed in the middle' 77 no 'mkdir -p node_modules/playwright-core; sleep 1000' 2
row 'nothing shows at the final path while npm runs' 0 yes \
    "$both; [ ! -e \"\$build/browser\" ] || exit 1"
[ "$failures" -eq 0 ]
