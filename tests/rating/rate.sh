#!/bin/sh
# SPDX-License-Identifier: MIT
# `arena rate` from outside: lists, JSON, and one line with exit status 2 for what is wrong.
. tests/begin.inc
golden=tests/golden/ratings scratch=$folder

printf 'game,group,player,seat,rank\n1,0,a,0,1\n1,0,b,1,x\n' > "$scratch/bad.csv"
expect 2 "bad.csv:3: a rank must be a whole number from 1 to 4, not 'x'" "$arena" rate "$scratch/bad.csv"
expect 2 "one file" "$arena" rate "$golden/A_unbeaten_results.csv" "$golden/A_unbeaten_results.csv"
expect 2 "--prior nan: is neither none nor" "$arena" rate --prior nan "$golden/A_unbeaten_results.csv"

# A pipe in small pieces reads as the file does, in both forms.
for name in F_multi_games A_unbeaten_results; do
    "$arena" rate "$golden/$name.csv" > "$scratch/whole"
    dd if="$golden/$name.csv" bs=100 status=none | "$arena" rate /dev/stdin > "$scratch/piped"
    cmp "$scratch/whole" "$scratch/piped"
done

# The same games in any order of rows make the same list.
for options in "" "--live --k-min 4" "--prior none --json"; do
    { head -n 1 "$golden/F_multi_games.csv"; tail -n +2 "$golden/F_multi_games.csv" | sort -r; } > "$scratch/sorted.csv"
    # shellcheck disable=SC2086 # options are words
    "$arena" rate $options "$golden/F_multi_games.csv" > "$scratch/given"
    # shellcheck disable=SC2086
    "$arena" rate $options "$scratch/sorted.csv" > "$scratch/sorted"
    cmp "$scratch/given" "$scratch/sorted"
done

# Odd sets: never a number that is none, and never a zero with a sign.
printf 'game,group,player,seat,rank\n' > "$scratch/none.csv"
printf 'first,second,first_wins,draws,second_wins\na,b,1,0,0\n' > "$scratch/one.csv"
printf 'first,second,first_wins,draws,second_wins\na,b,0,5,0\nb,c,0,5,0\n' > "$scratch/tied.csv"
printf 'first,second,first_wins,draws,second_wins\na,b,5,1,0\nc,d,2,0,5\n' > "$scratch/apart.csv"
for name in none one tied apart; do
    for options in "" "--prior none" "--live" "--json" "--live --json --prior none"; do
        # shellcheck disable=SC2086
        "$arena" rate $options "$scratch/$name.csv" > "$scratch/list"
        ! grep -iE '(^|[^a-z])-?(nan|inf)|-0(\.0+)?([^.0-9]|$)' "$scratch/list" || fail "$name $options"
    done
done

"$arena" rate --json "$scratch/apart.csv" > "$scratch/list.json"
"$arena" rate --json --live "$golden/F_multi_games.csv" > "$scratch/live.json"
PATH=/usr/local/bin:/usr/bin:/bin python3 - "$scratch/list.json" "$scratch/live.json" <<'PYTHON'
import json
import sys

apart = json.load(open(sys.argv[1]))
assert set(apart) == {"bots", "games", "groups", "notes"}, apart
assert (apart["games"], apart["groups"]) == (13, 13)
assert any("no chain of games connects" in note and "a b | c d" in note for note in apart["notes"]), apart["notes"]
for bot in apart["bots"]:
    assert set(bot) == {"bot", "elo", "se", "se_clustered", "se_model", "error95", "games", "score", "flags"}, bot
    assert bot["se"] == max(bot["se_clustered"], bot["se_model"]), bot
    assert abs(bot["error95"] - 1.96 * bot["se"]) < 1e-3 * bot["se"]
    assert "unconnected" in bot["flags"]
assert abs(sum(bot["elo"] for bot in apart["bots"])) < 1e-3
assert {bot["bot"]: bot["score"] for bot in apart["bots"]}["a"] == round(5.5 / 6, 6)

live = json.load(open(sys.argv[2]))
for bot in live["bots"]:
    assert set(bot) == {"bot", "elo", "games", "score", "flags"}, ("live ratings have no error", bot)
assert abs(sum(bot["elo"] for bot in live["bots"]) - 1500 * len(live["bots"])) < 1e-3
assert [bot["elo"] for bot in live["bots"]] == sorted((bot["elo"] for bot in live["bots"]), reverse=True)
PYTHON

# No error stands beside a live number.
"$arena" rate --live "$golden/F_multi_games.csv" > "$scratch/live"
! grep -iE -e '[+]-|los|error' "$scratch/live" || fail "the live list shows errors"
