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
"$arena" season close crowd >/dev/null
has "an open season comes before a closed one" 'Season training</a></h2>.*<h2>Closed seasons</h2>.*crowd/index.html">crowd</a></th>'
