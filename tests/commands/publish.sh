#!/bin/sh
# SPDX-License-Identifier: MIT
# arena publish: a site that is whole at every moment, that leads nowhere but to its own files, and
# that tells no secret.
. tests/begin.inc
set +e
late=$(realpath tests/browser/late)
templates=$(realpath arena/site/templates)
cd "$folder"
expect 2 '^arena: publish: name the folder' "$arena" publish
for bot in greedy random; do
    "$arena" submit "$build/bots/$bot" >/dev/null || fail "$bot: not admitted"
done
seed=00112233445566778899aabbccddeeff
"$arena" season new cup --budget 12 --seed $seed --clock turn=5000 >/dev/null || exit 1
"$arena" season run cup --games 8 >/dev/null || fail "season: not run"
"$arena" publish web >/dev/null || fail "not published"
for file in index.html cup/index.html cup/ladder.json cup/ladder.csv cup/standings.json \
    cup/feed.xml cup/bot/greedy.html cup/bot/greedy.xml cup/pair/greedy+random.html \
    cup/game/cup-000000-0.html; do
    [ -s "web/$file" ] || fail "no $file"
done

# Every link leads to a file of the site.
find web -name '*.html' -o -name '*.xml' | while read -r page; do
    grep -o 'href="[^"]*"' "$page" | sed 's/href="//;s/"$//' | sort -u | while read -r link; do
        case $link in
        data:* | '#'* | /) ;; # the page for a wrong address leads to the server's home page
        *) [ -f "$(dirname "$page")/${link%%#*}" ] || echo "$page: $link leads nowhere" ;;
        esac
    done
done >links
[ ! -s links ] || fail "$(head -3 links)"
grep -rE '(src|href|action)="(https?:)?//' web && fail "the site asks another host"
grep -rq "$seed" web && fail "the seed of an open season is told"

# A column of the ladder has its key as class, whatever its place.
for key in rank author elo error95 games score los_next forfeits; do
    grep -q "<th scope=\"col\" class=\"$key\"" web/cup/index.html && grep -q "<td class=\"$key\">" web/cup/index.html ||
        fail "the ladder has no column $key"
done

# The same again writes nothing; a game more, few files.
"$arena" publish --json web >again || exit 1
grep -q '"written":0,' again || fail "written again: $(cat again)"
"$arena" season run cup --games 4 >/dev/null
"$arena" season close cup >/dev/null || exit 1
"$arena" publish web >/dev/null || exit 1
grep -q "$seed" web/cup/index.html || fail "the seed of a closed season is not told"
python3 - web/cup <<'PYTHON' || fail "standings.json or feed.xml cannot be read"
import json, sys, xml.dom.minidom
folder = sys.argv[1]
standings = json.load(open(folder + "/standings.json"))
assert standings["games"] == 12 and standings["closed"] and len(standings["rows"]) == 2
rows = json.load(open(folder + "/ladder.json"))["rows"]
assert all(row[key] == small[key] for row, small in zip(rows, standings["rows"]) for key in small), standings
entries = xml.dom.minidom.parse(folder + "/feed.xml").getElementsByTagName("entry")
assert len(entries) == 3, len(entries)
PYTHON

# Standard error of a bot that forfeits is private, unless the terms say otherwise; hostile all the same.
"$arena" submit "$late" >/dev/null || fail "late: not admitted"
for how in private publish; do
    "$arena" season new cup-$how --budget 8 --clock turn=5000 --stderr $how >/dev/null || exit 1
    "$arena" season roster cup-$how --only late,random >/dev/null || exit 1
    "$arena" season run cup-$how >/dev/null || fail "cup-$how: not run"
    "$arena" games cup-$how --json | grep -q '"exit"' || fail "cup-$how: nobody forfeited"
done
"$arena" publish web >/dev/null || exit 1
grep -rq 'alert(1)' web/cup-private/bot/late.html || fail "its author's name is not shown"
grep -r '&lt;/pre&gt;' web/cup-private && fail "standard error is published"
grep -q '<dt>stderr</dt><dd><pre[^>]*>…[long ]*\\x00&lt;/pre&gt;' web/cup-publish/bot/late.html ||
    fail "the end of standard error is not published"
grep -q 'begins long' web/cup-publish/bot/late.html && fail "all of it is"
grep -lr '&lt;/pre&gt;' web/cup-publish/game >/dev/null || fail "no page of a game has it"

# A damaged replay is named, and the rest is published; a mended one is shown again.
damage() {
    python3 - "$ARENA_HOME/arena.db" "$1" <<'PYTHON'
import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
if sys.argv[2] == "break":
    db.execute("CREATE TABLE whole AS SELECT * FROM replay WHERE game_group = 1 AND rotation = 0")
    db.execute("UPDATE replay SET bytes = CAST(x'80' || substr(bytes, 2) AS BLOB) WHERE game_group = 1 AND rotation = 0")
else:
    db.execute("UPDATE replay SET bytes = (SELECT bytes FROM whole WHERE whole.season = replay.season)"
               " WHERE game_group = 1 AND rotation = 0")
    db.execute("DROP TABLE whole")
db.commit()
PYTHON
}
cp web/cup/game/cup-000001-0.html whole.html
damage break
"$arena" publish --json other >out 2>err
[ $? -eq 2 ] && [ "$(wc -l <err)" -eq 1 ] && grep -q '3 damaged replays, the first: game cup-000001-0: ' err &&
    grep -q '"damaged":3' out || fail "damaged replays: $(cat out err)"
grep -q 'replay of this game is damaged' other/cup/game/cup-000001-0.html || fail "its page does not say so"
cmp -s other/cup/game/cup-000001-1.html web/cup/game/cup-000001-1.html || fail "the others are not shown"
damage mend
"$arena" publish other >/dev/null || fail "not published once it is mended"
cmp other/cup/game/cup-000001-0.html whole.html || fail "the mended one is not shown"
rm -r other .other.spare

# Nothing but a site is replaced, and what is asked for must exist.
mkdir full && echo mine >full/diary && echo mine >plain
for given in full plain; do
    expect 2 "$given" "$arena" publish $given
done
[ "$(cat full/diary plain)" = "$(printf 'mine\nmine')" ] || fail "what was there is gone"
expect 2 cupp "$arena" publish cupp web

# Pages of templates in a folder: a sentence changes without a build; a fault is named with its line.
cp -r "$templates" templates && chmod -R u+w templates
sed -i 's/^<p>An older game has/<p>Mind that an older game has/' templates/missing.html
for changed in home season match bot; do
    echo "<p>A new sentence.</p>" >>templates/$changed.html
done
"$arena" publish --templates templates web >/dev/null || fail "with templates"
grep -q '^<p>Mind that an older game has' web/404.html || fail "the template's words are not on the page"
for page in web/index.html web/cup/index.html web/cup/game/cup-000001-0.html web/cup/bot/greedy.html; do
    grep -q '^<p>A new sentence' "$page" || fail "$page: a new sentence is not there"
done
echo '<p class={{title}}>' >>templates/missing.html
expect 2 'missing.html:10: a value of an attribute is put in double quotes' "$arena" publish --templates templates web
sed -i '$d' templates/missing.html && echo '{{gone}}' >>templates/missing.html
expect 2 'missing.html: {{gone}}: the data has no such value' "$arena" publish --templates templates web
grep -q '^<p>Mind that' web/404.html || fail "the site did not stay as it was"
expect 2 '--address arena.example: is not a web address: begin it with https:// or http://' "$arena" publish --address arena.example web
rm templates/foot.html
expect 2 'foot.html: No such file or directory: --templates needs all of them' "$arena" publish --templates templates web
"$arena" publish web >/dev/null && grep -q '^<p>An older' web/404.html || fail "the program's own templates"

# The page for playing, also where there is no site.
expect 2 'lookahead: the page of --open plays random, greedy, steady or maestro' "$arena" play --open lookahead
expect 2 'clock: the page of --open has no such choice' "$arena" play --open --clock turn=1 steady
if [ -e web/play.html ]; then
    told=$("$arena" play --open --replays own --seat 1 --board gray steady)
    [ "$told" = 'own/play.html#players=2&board=gray&bot=steady&seat=1' ] || fail "play --open: $told"
    cmp own/play.html web/play.html || fail "play --open: another page than the site's"
fi

# All games have pages when that is asked, and nothing is left beside the site. (tests/serve/killed.py kills publishers.)
"$arena" publish --games all web >/dev/null || exit 1
[ "$(ls -d web* | wc -l)" -eq 1 ] || fail "left behind: $(ls -d web*)"
[ "$(ls web/cup/game/*.html | wc -l)" -eq 12 ] || fail "not every game has a page"
echo "publish: fine"
