#!/bin/sh
# SPDX-License-Identifier: MIT
# A publication keeps a page of the older site only if it would write the same page: not one of
# another store's season, of another result, of games that are void now, nor half a file.
. tests/begin.inc
cd "$folder"
# same WHAT: the site is what a whole publication writes.
same() {
    "$arena" publish --live web >/dev/null
    rm -rf whole
    "$arena" publish --live whole >/dev/null
    diff -rq -x site.keys web whole >differ ||
        fail "$1: $(head -3 differ; cmp $(sed -n 's/^Files \(.*\) and \(.*\) differ$/\1 \2/p;q' differ))"
}
for home in test real; do
    export ARENA_HOME="$folder/$home"
    for bot in greedy random lookahead; do
        "$arena" submit --check-games 1 "$build/bots/$bot" >/dev/null
    done
    "$arena" season new cup --budget 12 --clock turn=5000 >/dev/null
    "$arena" season run cup >/dev/null
    same "$home: a season of that name in another store"
done
# A served site links to each game that has a replay; `arena web` makes the pages that are not there. A folder cannot.
"$arena" publish --live --games 1 served >/dev/null
"$arena" publish --games 1 folder >/dev/null
[ "$(ls folder/cup/game | wc -l)" -lt 12 ] || fail "each game has a page"
games=$(grep -c '<th scope="row"><a href="[^"]*game/cup-' served/cup/bot/greedy.html)
[ "$games" -ge 8 ] && grep -q '<a href="/game/cup-00000[0-9]-[01]#seat=[01]">' served/cup/bot/greedy.html || fail "$games games have an address"
for page in cup/bot/greedy.html cup/index.html index.html; do
    ! grep -qE '"quiet"[^>]*>cup-|Gray games' "served/$page" || fail "$page: a game with a replay is gray"
done
grep -q '<span class="quiet">cup-.*' folder/cup/bot/greedy.html || fail "no game of a folder is gray"
grep -q 'Gray games have no page. To make one' folder/cup/bot/greedy.html || fail "gray is not explained"
grep -q 'only if a bot forfeited' folder/404.html || fail "a folder's games without pages are not explained"
! grep -q 'only if a bot forfeited' served/404.html || fail "a served game is said to have no page"
page=$(ls web/cup/game/* | tail -1)
: >"$page"
same "half a file"
grep -q '<meta property="og:title" content="Season cup">' web/cup/index.html || fail "a shared link has no title"
"$arena" ban random --void >/dev/null
same "void games"
grep -q '>void<' web/cup/bot/greedy.html || fail "void games are not shown as such"
grep -q 'All their games are void' web/cup/pair/greedy+random.html || fail "they are counted"
grep -q 'Banned: its games do not count' web/cup/bot/random.html || fail "random's page hides the ban"
grep -q 'Since yesterday' web/cup/bot/random.html && fail "void games count since yesterday"
"$arena" ban random --lift >/dev/null
same "games that count again"
"$arena" ban lookahead >/dev/null
same "a bot whose games count is banned: it changes the ranks of others"
"$arena" ban lookahead --lift >/dev/null
# A bot's opponents are those of all its versions, as on the pages of pairs.
cp -r "$build/bots/random" random
sed -i 's/"version": "[^"]*"/"version": "next"/' random/bot.json
"$arena" submit --check-games 1 random >/dev/null
"$arena" season extend cup --budget 24 >/dev/null
"$arena" season run cup >/dev/null
same "another version"
grep -q 'Version next against version [^<]*: <strong>[^<]* Elo</strong>, better with' web/cup/bot/random.html ||
    fail "the versions are not compared"
grep -q '<tr><th scope="row">Full stars</th><td>[^<]*</td><td>[^<]*</td><td>' web/cup/bot/random.html || fail "not by source of points"
grep -qE '<id>urn:arena:cup:day:greedy:[0-9-]{10}</id>.*<title>greedy since yesterday: place [0-9]; [0-9]+ won, [0-9]+ lost' web/cup/bot/greedy.xml ||
    fail "no entry of the day: $(cut -c1-600 web/cup/bot/greedy.xml)"
grep -q '<dt>Since yesterday</dt><dd><strong>Place [0-9]</strong>, new; [0-9]* won' web/cup/bot/greedy.html ||
    fail "not since yesterday: $(grep 'Since yesterday' web/cup/bot/greedy.html)"
games=$(grep -o 'was ahead in [0-9]* of [0-9]* games' web/cup/pair/greedy+random.html | grep -o '[0-9]* games')
for page in greedy random; do
    other=$([ $page = greedy ] && echo random || echo greedy)
    grep -q ">$other</a></th><td>${games% games}</td>" web/cup/bot/$page.html ||
        fail "$page against $other: $(grep ">$other" web/cup/bot/$page.html), not $games"
done
# Names of authors leave the pages of closed seasons, too.
"$arena" author new "Zoe Adler" >/dev/null
"$arena" new --lang python zed --author "Zoe Adler" --name zed >/dev/null
"$arena" submit --check-games 1 zed >/dev/null
"$arena" season new old --budget 6 >/dev/null
"$arena" season run old >/dev/null
"$arena" season close old >/dev/null
same "an author's bot"
grep -rq '<strong>Won</strong> season old with' web/author || fail "no author won season old"
"$arena" author rename "Zoe Adler" "Zora Brandt" >/dev/null
same "a renamed author"
# Both names: one of five letters is found in a replay as base64, once in thousands of runs.
grep -rqE "Zoe.Adler" web && fail "the old name stays in $(grep -rlE "Zoe.Adler" web)"
grep -q '>Zora Brandt<' web/old/bot/zed.html || fail "zed's page does not show the author's new name"
"$arena" author erase "Zora Brandt" >/dev/null
same "an erased author"
grep -rE --exclude-dir=docs --exclude-dir=kits --exclude=openapi.json 'Brandt|Python' web .web.spare >stays && fail "an erased author's name or language stays: $(cut -c1-200 stays)"
find web .web.spare | grep Brandt && fail "an erased author's name stays in the name of a file"
# A folder that is served as files keeps each match's page while there is a replay; `arena web` makes such pages on request.
"$arena" publish --games all web >/dev/null
before=$(ls web/*/game/*.html | wc -l)
"$arena" publish --games 1 web >/dev/null
[ "$(ls web/*/game/*.html | wc -l)" -eq "$before" ] || fail "pages of matches are gone"
"$arena" season close cup >/dev/null
"$arena" season prune --keep forfeits+0 --yes cup old >/dev/null
"$arena" publish --games 1 web >/dev/null
ls web/*/game/*.html 2>/dev/null | grep -q . && fail "pages without replays stay"
"$arena" publish --games all web >/dev/null
"$arena" publish --live --games 1 web >/dev/null
[ "$(ls web/*/game/*.html 2>/dev/null | wc -l)" -lt "$before" ] || fail "pages that arena web makes are kept"
# Pages of a folder name pictures of home and season, once the site has an address; without librsvg none, and nothing fails.
"$arena" publish --address https://arena.example/ cup web >/dev/null
for path in picture.png cup/picture.png; do
    [ "$(od -An -tx1 -j16 -N8 "web/$path" | tr -d ' ')" = 000004b000000276 ] || fail "$path has not 1200 x 630 pixels"
    grep -rqF "og:image\" content=\"https://arena.example/$path\"" web --include=*.html || fail "no page names $path"
done
inode=$(stat -c %i web/cup/picture.png)
"$arena" publish --address https://arena.example cup web >/dev/null
[ "$(stat -c %i web/cup/picture.png)" = "$inode" ] || fail "a picture is drawn again"
mkdir broken && echo none >broken/librsvg-2.so.2
LD_LIBRARY_PATH=broken "$arena" publish --address https://arena.example cup web >/dev/null || fail "it needs librsvg"
[ ! -e web/picture.png ] && ! grep -rq 'property="og:image"' web --include=*.html || fail "a picture without librsvg"
true
