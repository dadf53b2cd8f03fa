# SPDX-License-Identifier: MIT
# Sourced by the tests of the pages: finds chromium, node and the packages that packages.sh installed,
# and makes the folder $room to work in. Needs $here and $build. Ends the test with status 77 where
# something is missing.

browser_modules=$build/browser/node_modules

browser_skip() {
    echo "skipped: $1"
    exit 77
}

browser_packages_there() {
    [ -e "$browser_modules/playwright-core" ] && [ -e "$browser_modules/axe-core" ] &&
        [ -e "$browser_modules/html-validate" ]
}

browser_begin() {
    [ -x /usr/bin/chromium ] || browser_skip "no chromium: apt-get install chromium"
    command -v node >/dev/null || browser_skip "no node: apt-get install nodejs npm"
    browser_packages_there ||
        browser_skip "the test browser.packages has not installed tests/browser/package.json"
    room=$(mktemp -d)
    trap 'rm -r "$room"' EXIT
    cd "$room" || exit 1
    timeout 60 chromium --headless --no-sandbox --disable-gpu --disable-quic --no-first-run \
        --disable-background-networking --disable-component-update --disable-sync \
        --user-data-dir="$room/profile" --dump-dom 'data:text/html,<p>it%20runs</p>' 2>chromium.log |
        grep -q 'it runs' || browser_skip "chromium does not run: $(tail -1 chromium.log)"
    rm -rf "$room/profile"
}
