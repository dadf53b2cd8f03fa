#!/bin/sh
# SPDX-License-Identifier: MIT
# A season that keeps some replays only: pruned while it is played and by `arena season prune`, which says
# first what it would do; results, checksums and all that reads replays go on.
. tests/begin.inc
set +e
cd "$folder"
# kept SEASON: how many of its replays there are.
kept() {
    "$arena" games "$1" --json | grep -c '"pruned":false'
}
for bot in greedy random; do
    "$arena" submit "$build/bots/$bot" >/dev/null || fail "$bot: not admitted"
done
"$arena" season new cup --budget 12 --keep forfeits+4 --clock turn=5000 >/dev/null || exit 1
"$arena" season show cup --json | grep -q '"keep":"forfeits+4","stderr":"private","practice":false' ||
    fail "terms: $("$arena" season show cup --json)"
"$arena" season new whole --budget 12 --clock turn=5000 >/dev/null || exit 1
"$arena" season run whole >/dev/null || fail "whole: not run"
"$arena" ladder whole --json >ladder.whole
"$arena" season run cup >/dev/null || fail "cup: not run"
[ "$(kept cup)" -eq 4 ] || fail "cup keeps $(kept cup) replays of 12, not 4"
[ "$(kept whole)" -eq 12 ] || fail "whole keeps $(kept whole) replays of 12"

# What reads a replay says where it is.
expect 2 "the game's replay was removed, because season cup keeps only some" "$arena" replay cup-000000-0
"$arena" replay cup-000005-1 --verify >/dev/null || fail "a replay that is kept"
"$arena" games cup | grep -q 'replay pruned' || fail "games: $("$arena" games cup)"
"$arena" store check --replays >out || fail "check"
grep -q '24 games, 16 replays, 8 pruned: sound' out || fail "check"
"$arena" store check --replays --json | grep -q '"pruned":8,' || fail "check --json"
"$arena" export cup cup.files >out || fail "export"
grep -q '4 replays; 8 pruned' out || fail "export: $(cat out)"
[ "$(wc -l <cup.files/games.csv)" -eq 25 ] || fail "export: results are gone"
"$arena" publish web >/dev/null || fail "not published"
grep -q 'the replay of this game is not kept any more' web/cup/index.html || fail "the site is silent"
grep -q 'newest 4 other games' web/cup/index.html || fail "the terms are not told"
grep -o 'href="game/[^"]*"' web/cup/index.html | sed 's/href="//;s/"$//' | while read -r link; do
    [ -f "web/cup/$link" ] || echo "$link"
done >links
[ ! -s links ] || fail "links lead nowhere: $(cat links)"

# By hand: first what it would do.
"$arena" season prune --keep forfeits+2 --json >out || fail "prune"
grep -q '{"season":"whole","keep":"forfeits+2","games":10,"bytes":[0-9]*,"pruned":false}' out ||
    fail "prune: $(cat out)"
"$arena" season prune whole --keep forfeits+2 >out || exit 1
grep -q 'whole: keeps forfeits+2: 10 replays, .* to be removed' out || fail "prune: $(cat out)"
[ "$(kept whole)" -eq 12 ] || fail "prune without --yes removed something"
"$arena" season prune whole --keep forfeits+2 --yes --json >out || exit 1
grep -q '"games":10,"bytes":[0-9]*,"pruned":true' out || fail "prune --yes: $(cat out)"
[ "$(kept whole)" -eq 2 ] || fail "whole keeps $(kept whole) replays, not 2"
"$arena" ladder whole --json | cmp - ladder.whole || fail "pruning changed a ladder"
"$arena" store check >/dev/null || fail "a store that was pruned is damaged"
