# Sourced by the tests of the pages: finds chromium, node and the two packages of package.json, and
# makes the folder $room to work in. Needs $here and $build. Ends the test with status 77 where
# something is missing.

browser_skip() {
    echo "skipped: $1"
    exit 77
}

browser_begin() {
    [ -x /usr/bin/chromium ] || browser_skip "no chromium: apt-get install chromium"
    command -v node >/dev/null || browser_skip "no node: apt-get install nodejs npm"
    browser_modules=$build/browser/node_modules
    if [ ! -e "$browser_modules/playwright-core" ] || [ ! -e "$browser_modules/axe-core" ]; then
        command -v npm >/dev/null || browser_skip "no npm: apt-get install nodejs npm"
        mkdir -p "$build/browser" && cp "$here/package.json" "$here/package-lock.json" \
            "$build/browser" &&
            (cd "$build/browser" && timeout 120 npm ci --no-audit --no-fund >npm.log 2>&1) ||
            browser_skip "npm cannot install tests/browser/package.json: see $build/browser/npm.log"
    fi
    room=$(mktemp -d)
    trap 'rm -r "$room"' EXIT
    cd "$room" || exit 1
    timeout 60 chromium --headless --no-sandbox --disable-gpu --disable-quic --no-first-run \
        --disable-background-networking --disable-component-update --disable-sync \
        --user-data-dir="$room/profile" --dump-dom 'data:text/html,<p>it%20runs</p>' 2>chromium.log |
        grep -q 'it runs' || browser_skip "chromium does not run: $(tail -1 chromium.log)"
    rm -rf "$room/profile"
}
