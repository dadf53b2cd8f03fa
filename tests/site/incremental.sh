#!/bin/sh
# SPDX-License-Identifier: MIT
# After one more game a publication touches a bounded number of files, whatever the size of the
# league, and the pages that it leaves alone are still right.
. tests/begin.inc
set +e
cd "$folder"
bench=$build/tests/bench/bench
[ -x "$bench" ] || bench=$build/bin/bench
# Files of the site with their inodes: one that was written again has another.
list() {
    find web -type f ! -name '*.gz' -printf '%P %i\n' | sort
}
"$bench" crowd --bots 40 --games 1200 home || fail "no league"
for games in 1202 3202; do
    "$arena" publish --live web >/dev/null || fail "not published"
    list >before
    "$bench" crowd --games 2 home || exit 1
    "$arena" publish --live --json web >out || fail "not published again"
    list >after
    touched=$(comm -13 before after | wc -l)
    [ "$touched" -ge 5 ] && [ "$touched" -le 25 ] ||
        fail "$games games: $touched files of $(wc -l <after) touched: $(comm -13 before after)"
    grep -q "\"written\":$touched," out || fail "told: $(cat out), touched: $touched"
    # But for ratings of bots that did not play, it is the site that a whole publication writes.
    rm -rf whole
    "$arena" publish --live whole >/dev/null || exit 1
    diff -rq -x site.keys -x '*.gz' web whole | grep -vE '/(bot|author|pair)/[^ ]*\.(html|xml) ' && fail "$games games: not the whole site"
    [ "$(diff -rq -x site.keys -x '*.gz' web whole | wc -l)" -gt 0 ] || fail "every page was written again"
    "$bench" crowd --games 1998 home || exit 1
done
# A file beside a page is the page in gzip's format: looked at for some pages of each kind.
for page in web/index.html web/play.html $(find web/*/ -name '*1.html'); do
    gzip -dc "$page.gz" | cmp - "$page" || fail "$page.gz is another page"
done
# The league has grown by far more than a tenth: no page of a bot is left as it was.
list >before
"$arena" publish --live web >/dev/null || exit 1
list >after
kept=$(comm -12 before after | grep -c '/bot/.*\.html')
[ "$kept" -eq 0 ] || fail "$kept pages of bots were not renewed"
# Nothing came in: nothing is written.
"$arena" publish --live --json web | grep -q '"written":0,' || fail "written without need"
