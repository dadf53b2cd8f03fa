#!/bin/sh
# SPDX-License-Identifier: MIT
# The pages of a bot and of its author tell its versions apart.
. tests/begin.inc
cd "$folder"
# submit VERSION BOT: a version of climber that plays as the bundled bot does.
submit() {
    rm -rf climber && cp -r "$build/bots/$2" climber
    sed -i 's/"name": "[^"]*"/"name": "climber"/; s/"version": "[^"]*"/"version": "'"$1"'"/; s/"author": "[^"]*"/"author": "Ada"/' climber/bot.json
    "$arena" submit --check-games 1 climber >/dev/null || fail "version $1"
}
# has WHAT REGEX, lacks WHAT REGEX: on climber's page, in which newlines are blanks
has() { tr '\n' ' ' <web/cup/bot/climber.html | grep -qE "$2" || fail "$1: $(sed -n '/<main>/,/Newest games/p' web/cup/bot/climber.html)"; }
lacks() { ! tr '\n' ' ' <web/cup/bot/climber.html | grep -qE "$2" || fail "$1: $(grep -oE "$2" web/cup/bot/climber.html)"; }
"$arena" submit --check-games 1 "$build/bots/random" >/dev/null
submit 1 random
"$arena" season new cup --budget 32 --clock turn=5000 --seed 000102030405060708090a0b0c0d0e0f >/dev/null
"$arena" season run cup --games 8 >/dev/null
"$arena" publish web >/dev/null
has "the page names its feed" '<p class="quiet">For a feed reader[^<]*<a href="climber.xml">climber.xml</a>'
[ -s web/cup/bot/climber.xml ] || fail "the feed is missing"
has "version 1 lost a game" '<dt>Last lost game</dt>'
lacks "one version is all there is of the day" 'all versions together[^<]*<span class="quiet">until'
submit 2 greedy
"$arena" publish web >/dev/null
has "a version waits" 'Version 2 was admitted at <time[^>]*>[^<]*</time>, in place of version 1, and waits for its first game'
lacks "the bot still plays" 'Does not play any more|plays instead'
"$arena" season run cup --games 8 >/dev/null
submit 3 random
"$arena" season run cup --games 8 >/dev/null
submit 4 greedy
"$arena" season run cup >/dev/null
"$arena" publish web >/dev/null
has "the page is the newest version's" 'Version 4 by '
has "the lost game is an older version's, and says so" '<dt>Last lost game of version 3</dt>'
has "the day's games are those of all versions" 'Since yesterday</dt><dd>[^/]*(/strong>[^<]*)? [0-9]+ won, .*lost, all versions together'
has "how it plays is how all versions do" 'games without forfeits, all versions together\.'
sed -n '/<section.*"Best bots"/,/<\/table>/p' web/index.html >best
[ "$(grep -o 'climber@[0-9]' best | tr '\n' ' ')" = "climber@4 " ] || fail "the home page lists versions that were replaced: $(cat best)"
python3 - <<'END' || fail "versions are not told apart"
import glob
import re

page = open("web/cup/bot/climber.html", encoding="utf-8").read()
table = page[page.index('aria-label="Versions"'):]
found = re.findall(r'<th scope="row">(\d)</th>', table)
assert found == ["4", "3", "2", "1"], ("each version stands above the one before", found)
[author] = glob.glob("web/author/Ada-*.html")
rows = re.findall(r'<td class="when">(\d)</td>.*?<td class="when">(\d+)</td>\s*<td class="wrap">(.*?)</td>',
                  open(author, encoding="utf-8").read(), re.S)
assert len(rows) == 4, rows
for version, games, day in rows:
    counts = [int(number) for number in re.findall(r"(\d+) (?:won|shared|lost)", day)]
    assert sum(counts) == int(games), ("a row counts the games of its version", version, games, day)
END
