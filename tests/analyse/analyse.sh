#!/bin/sh
# SPDX-License-Identifier: MIT
# analyse.sh BUILD GROUPS: games of two a group between steady or greedy and a bot that blunders once
# in each; maestro is asked what each decision cost. Tells how often it names the planted blunder.
set -eu
build=$(realpath "$1")
groups=$2
here=$(realpath "$(dirname "$0")")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export ARENA_HOME="$work/home"
cd "$work"
for other in steady greedy; do
    "$build/bin/arena" match --games $((groups / 2)) --rotate --jobs 2 --clock turn=5000 \
        --seed 0123456789abcdef0123456789abcdef --replays $other \
        "$build/tests/bots/bot_blunder" "$build/bots/$other" >/dev/null
done
begin=$(date +%s)
"$build/bin/arena" analyse steady/*.replay greedy/*.replay --json >opinions
python3 "$here/analyse.py" "$build/bin/arena" $(($(date +%s) - begin)) opinions steady/*.replay greedy/*.replay
# A bot that tells nothing cannot analyse; a page carries what the analyst said.
set -- greedy/*.replay
if "$build/bin/arena" analyse "$1" --bot "$build/bots/greedy" 2>error; then exit 1; fi
grep -q "greedy: this bot's answers do not say" error
"$build/bin/arena" analyse "$1" --bot "$build/tests/bots/bot_blunder" | grep -q -- " -42949672.9  lead "
"$build/bin/arena" analyse "$1" --turn 50 --html page.html >text
grep -q 'id="analysis"' page.html
grep -q "^seat 0, .* decisions of the seat cost " text
# What was said of a season's game is on the game's page, also if the page is older.
for bot in steady greedy; do "$build/bin/arena" submit --check-games 1 "$build/bots/$bot" >/dev/null; done
"$build/bin/arena" season new cup --seed 0123456789abcdef0123456789abcdef --players 2 --budget 2 --clock turn=5000 >/dev/null
"$build/bin/arena" season run cup >/dev/null
"$build/bin/arena" publish site >/dev/null
if grep -q 'id="analysis"' site/cup/game/cup-000000-0.html; then exit 1; fi
"$build/bin/arena" analyse cup-000000-0 --turn 50 >/dev/null
"$build/bin/arena" publish site | grep -q ': 1 season, [2-9] files written' # the page of the loser may tell the costliest decision
grep -q 'id="analysis"' site/cup/game/cup-000000-0.html
# The page of the weaker bot groups its mistakes by kind, with links to the decisions.
grep -q 'Mistakes in 1 game, and what they cost a game, says maestro' site/cup/bot/greedy.html
grep -q '<strong>Takes the wrong tiles</strong> × [0-9]' site/cup/bot/greedy.html
grep -q 'cup-000000-0</a>, decision <a href="../game/cup-000000-0.html#t=[0-9]*&amp;seat=[01]">' site/cup/bot/greedy.html
# Over many games: what each player's decisions cost by kind, from a folder and from a game's name.
"$build/bin/arena" analyse greedy cup-000000-0 --summary --turn 50 >summary
grep -q '^greedy: [2-9] games, [0-9.]* ± [0-9.]* points lost a game$' summary
grep -q '^  Takes the wrong tiles  *[0-9.]* ± [0-9.]*  *[0-9]* ' summary
grep -q '^  position: board:' summary
"$build/bin/arena" analyse greedy/000000-0.replay --summary --player bot_blunder --turn 50 --json |
    python3 -c 'import json, sys
player, = json.load(sys.stdin)["players"]
assert player["player"] == "bot_blunder" and player["games"] == 1 and player["points_error95"] is None
assert abs(sum(one["points_a_game"] for one in player["mistakes"] if one["round"] is None) - player["points_a_game"]) < 0.1
assert player["worst"][0]["lost"] == max(one["lost"] for one in player["worst"]) and player["worst"][0]["position"]'
if "$build/bin/arena" analyse greedy --summary --player nobody 2>error; then exit 1; fi
grep -q -- '--summary: no game has a player that --seat or --player names; the games have \(greedy, bot_blunder\|bot_blunder, greedy\)$' error
mkdir nothing
if "$build/bin/arena" analyse nothing --summary 2>error; then exit 1; fi
grep -q 'nothing: the folder has no file \*.replay' error
# In a lull the daemon has the games analysed that a publication lists: those without an analysis. Of all analyses the
# newest 5000 stay.
"$build/bin/arena" publish --wishes site >/dev/null
[ "$(cat home/analyses/wanted)" = cup-000000-1 ]
(cd home/analyses && seq -f old-%06g-0.json 5000 | xargs touch -d @2 && touch -d @1 old-000007-0.json old-002000-0.json)
"$build/bin/arena" analyse --wanted --turn 20 | grep -q '^1 game analysed$'
[ "$(find home/analyses -name '*.json' | wc -l)" = 5000 ]
if [ -e home/analyses/old-000007-0.json ] || [ -e home/analyses/old-002000-0.json ]; then exit 1; fi
[ -s home/analyses/cup-000000-0.json ] && [ -s home/analyses/cup-000000-1.json ]
"$build/bin/arena" publish --wishes site >/dev/null
grep -q 'id="analysis"' site/cup/game/cup-000000-1.html
[ ! -s home/analyses/wanted ]
[ -z "$("$build/bin/arena" analyse --wanted)" ]
