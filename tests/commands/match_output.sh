#!/bin/sh
# SPDX-License-Identifier: MIT
# What `arena match` says where: results on standard output, how it goes on standard error and only
# to a terminal. $1 is the build folder.
. tests/begin.inc
work=$folder
random=$build/bots/random
seed="--seed 000102030405060708090a0b0c0d0e0f"

# In a pipe: nothing on standard error.
"$arena" match $seed "$random" "$build/bots/greedy" >"$work/out" 2>"$work/err"
[ ! -s "$work/err" ] || fail "a pipe is told nothing on standard error"

# Two of one name are told apart; a name cannot act on the terminal.
wild="$work/a$(printf '\033')[2Jb"
cp "$random/random" "$wild"
"$arena" match $seed "$wild" "$wild" >"$work/out"
grep -q '^a.x1b\[2Jb *- a.x1b\[2Jb#2 ' "$work/out" || fail "names in the table"
if LC_ALL=C grep -q "$(printf '\033')" "$work/out"; then fail "an escape sequence came through"; fi
grep -q '^a.x1b\[2Jb#2 is the bot of argument 2, ' "$work/out" || fail "a name with a number is not explained"

# A crash is described once, with the command for a debugger; later ones of the same cause are short.
mkdir "$work/crash"
printf '{"name": "crash", "run": ["python3", "bot.py"]}' >"$work/crash/bot.json"
cat >"$work/crash/bot.py" <<'BOT'
import msgpack, os
os.read(0, 65536)
os.write(1, msgpack.packb({"type": "ready"}))
os.read(0, 65536)
raise IndexError("list index out of range")
BOT
(cd "$work" && "$arena" match $seed --games 2 --rotate --jobs 2 --replays kept crash "$random") >"$work/out"
grep -q '^2 seeds in 2 rotations of the seats: 4 matches$' "$work/out" || fail "--rotate is not explained"
[ "$(grep -c '^ *stderr  Traceback' "$work/out")" = 1 ] || fail "not one traceback"
[ "$(grep -c ': IndexError: list index out of range, as in match 000000-0$' "$work/out")" = 3 ] || fail "not short"
[ "$(grep -c '^ *again .* replay kept/0' "$work/out")" = 4 ] || fail "not each with its command"
debug=$(sed -n 's/^ *debug *\(.* >turn.msgpack\) writes.*/\1/p' "$work/out" | head -1)
(cd "$work" && sh -c "$debug" && grep -q hello turn.msgpack && grep -q draft turn.msgpack) || fail "debug: $debug"

# On a terminal: a line that shows how far it is, and that is gone at the end.
mkdir "$work/slow"
printf '{"name": "slow", "run": ["sleep", "10"]}' >"$work/slow/bot.json"
python3 tests/commands/terminal.py sh -c 'exec "$0" match --json --games 3 --clock start=600 "$1" "$2" >"$3"' \
    "$arena" "$work/slow" "$random" "$work/out" >"$work/said" || fail "terminal"
[ "$(wc -l <"$work/out")" = 3 ] && ! grep -q "$(printf '\r')" "$work/out" || fail "results: $(cat "$work/out")"
for words in "0/3 games" "2/3 games" " a second, " " left, 2 forfeits"; do
    grep -qF "$words" "$work/said" || fail "no \"$words\" on the terminal"
done
[ "$(tail -c 4 "$work/said")" = "$(printf '\r\033[K')" ] || fail "the line stays"
[ "$(wc -l <"$work/said")" = 0 ] || fail "more than one line"
