#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs beside each other: replays of a second run, logs of bots, a trace past the first turn.
. tests/begin.inc
arena=$build/bin/arena random=$build/bots/random
cd "$folder"

# --- the same command again just works, and nothing is overwritten
for run in 1 2 3; do
    "$arena" match --games 2 --seed 000102030405060708090a0b0c0d0e0f --replays deep/er/games \
        "$random" "$random" >out 2>err || fail "run $run"
    [ $run = 1 ] || grep -q "deep/er/games: the replays of this run go to deep/er/games/$run, beside those of earlier runs" err ||
        fail "run $run does not say where its replays are"
done
for path in deep/er/games deep/er/games/2 deep/er/games/3; do
    [ "$(find $path -maxdepth 1 -name '*.replay' | wc -l)" = 2 ] || fail "$path: not two replays"
    "$arena" replay $path/000001-0.replay --verify >out || fail "$path does not verify"
done

# --- one replay is enough, whatever its name; a name that is the ending alone is none
mkdir one none
touch one/g.replay none/.replay
"$arena" match --replays one "$random" "$random" >out 2>err || fail "one"
[ -e one/2/000000-0.replay ] || fail "its replay is not beside that of another run"
"$arena" match --replays none "$random" "$random" >out 2>err || fail "none"
[ -e none/000000-0.replay ] || fail "a file without a name was taken for a replay"

# --- what bots wrote to standard error, those that play on too
mkdir loud
cat >loud/bot.json <<END
{"name": "loud", "version": "1", "author": "A", "run": ["sh", "-c", "echo begun >&2; head -c 200000 /dev/zero | tr '\\\\0' x >&2; echo over >&2; exec ./random"], "processes": 4}
END
cp "$random/random" loud/
"$arena" match --games 2 --log logs/of/it loud "$random" >out 2>err || fail "match --log"
for game in 000000-0 000001-0; do
    log=logs/of/it/$game-0-loud.log
    [ "$(head -1 $log)" = begun ] || head -c 6 $log | grep -q begun || fail "$log: no beginning"
    tail -1 $log | grep -q "over$" || fail "$log: no end"
    grep -q "bytes are missing here" $log || fail "$log: does not say what is missing"
    [ "$(wc -c <$log)" -lt 70000 ] || fail "$log is not bounded"
    [ ! -e logs/of/it/$game-1-random.log ] || fail "a log of one that wrote nothing"
done
"$arena" match --log logs/of/it loud "$random" >out 2>err || fail "match --log twice"
[ "$(ls logs/of/it/2)" = 000000-0-0-loud.log ] || fail "match --log: an older run's file among those of this run"
grep -q "logs/of/it: the logs of this run go to logs/of/it/2, beside" err || fail "match --log: does not say where"
# Replays and logs of one run have one number, although no bot of the first run wrote a log.
for run in 1 2; do
    "$arena" match --replays both/games --log both/logs $([ $run = 1 ] || echo loud) "$random" \
        $([ $run = 2 ] || echo "$random") >out 2>err || fail "both $run"
done
[ -e both/games/2/000000-0.replay ] && [ -e both/logs/2/000000-0-0-loud.log ] || fail "$(ls -R both)"
"$arena" check --quick --log checked loud >out 2>err || fail "check --log"
[ "$(ls checked/*-loud.log | wc -l)" -ge 9 ] || fail "check: not a log for each game"
# --- pinned, a bot has one core; else all of the arena's
mkdir cores
cat >cores/bot.json <<END
{"name": "cores", "version": "1", "author": "A", "run": ["sh", "-c", "nproc >&2; exec ./random"], "processes": 4}
END
cp "$random/random" cores/
"$arena" match --log pinned --pin --jobs 1 cores "$random" >out 2>err || fail "match --pin"
"$arena" match --log free --jobs 1 cores "$random" >out 2>err || fail "match without --pin"
[ "$(cat pinned/000000-0-0-cores.log)" = 1 ] || fail "--pin: not one core"
[ "$(cat free/000000-0-0-cores.log)" = "$(nproc)" ] || fail "without --pin: not all cores"

# --- a trace goes on past the first turn when asked
"$arena" check --trace "$random" >out 2>err || fail "trace"
grep -q "answered 2 of 2 messages" out || fail "trace: not the hello and one turn"
"$arena" check --trace --turns 30 "$random" >out 2>err || fail "trace --turns"
grep -q "answered 31 of 31 messages" out || fail "trace: not thirty turns"
