#!/bin/sh
# SPDX-License-Identifier: MIT
# The home page tells of every season: the one at its top has begun, others that are open have a row,
# announced ones a line with their date.
. tests/begin.inc
cd "$folder"
bench=$build/tests/bench/bench
[ -x "$bench" ] || bench=$build/bin/bench
# has WHAT TEXT: the home page has the text, in which newlines are blanks.
has() {
    "$arena" publish web >/dev/null || fail "not published"
    tr '\n' ' ' <web/index.html | grep -q "$2" || fail "$1: $(sed -n '/<main>/,/<h2 id="enter"/p' web/index.html)"
}
"$bench" crowd --bots 40 --games 200 home || fail "no league"
"$arena" season new next --budget 100 --from 2099-01-02T03:04:05Z >/dev/null
has "an announced season hides none" '<h2><a href="crowd/index.html">Season crowd</a></h2>'
has "it has a line with its date" 'next/index.html">Season next</a>: begins <time datetime="2099-01-02T03:04:05Z"'
"$arena" season new training --practice --budget 100 >/dev/null
has "a practice season is also open" '<h2>Also open</h2>.*training/index.html">training</a>, practice</th>'
has "a game is worth a look" "<br><span class=\"quiet\">won by one point</span>"
# A bot is found from its admission on.
"$arena" season new dated --games-a-day 40 >/dev/null
has "a season that is played comes before a newer one without a game" 'Season crowd</a></h2>.*>dated</a>'
has "a season without an end has no budget" 'dated</a></th>.*<td>0</td><td class="when">no end</td>'
grep -q 'class="waiting">Wait for their first games: <a href="bot/.*), admitted <time' web/dated/index.html || fail "who waits is not told"
first=$(sed -n 's/.*class="waiting">[^"]*"\([^"]*\)".*/\1/p' web/dated/index.html)
grep -q 'was admitted at <time.* waits for its first game in season dated' "web/dated/$first" || fail "$first does not say so"
! grep -q 'class="waiting"' web/crowd/index.html || fail "bots that play wait"
"$arena" season close dated >/dev/null
"$arena" season close crowd >/dev/null
has "an open season comes before a closed one" 'Season training</a></h2>.*<h2>Closed seasons</h2>.*crowd/index.html">crowd</a></th>'
has "who waits is among the new bots" '<h2>New bots</h2>.*"training/bot/[^"]*">[^<]*</a></th><td class="wrap">[^<]*, waits for its first game</td>'
tr '\n' ' ' <"web/$(sed -n 's/.*Open seasons.*//; s/.*href="\(author[^"]*\)".*/\1/p' web/index.html | tail -1)" |
    grep -q 'training</a></h2>.*<td class="wrap">waits for its first game</td>.*crowd</a></h2>' || fail "an author's page does not say who waits"
