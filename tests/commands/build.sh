#!/bin/sh
# SPDX-License-Identifier: MIT
# `arena build` shows all that a build prints; a build that fails elsewhere shows what names an error.
. tests/begin.inc

# bot BUILD: the greedy bot with that script as its build
bot()
{
    rm -rf "$folder/bot"
    cp -r "$build/bots/greedy" "$folder/bot"
    printf '{"name": "bot", "version": "1", "author": "A", "run": ["./greedy"], "build": ["sh", "-c", "%s"]}' \
        "$1" >"$folder/bot/bot.json"
}

# run STATUS COMMAND...
run()
{
    wanted=$1 status=0
    shift
    "$@" >"$folder/out" 2>"$folder/err" </dev/null || status=$?
    [ "$status" = "$wanted" ] || fail "$*: status $status, not $wanted"
}

build=$1
bot 'for i in $(seq 100); do echo line $i; done; printf last'
run 0 "$arena" build "$folder/bot"
[ "$(grep -c '^line ' "$folder/out")" = 100 ] || fail "not all that it printed"
grep -qx "last" "$folder/out" || fail "the last line without an end"
grep -qx "bot: built" "$folder/out" || fail "it does not say that it is built"
run 0 "$arena" build "$folder/bot"
[ "$(grep -c '^line ' "$folder/out")" = 100 ] || fail "arena build took it from the cache"

bot 'echo one; echo a.c:3: error: no such thing; for i in $(seq 40); do echo more; done; exit 1'
for command in match "check --trace"; do
    run 2 "$arena" $command "$folder/bot" $([ "$command" != match ] || echo "$build/bots/random")
    grep -q "build failed: the build exited with 1" "$folder/err" || fail "$command: not told"
    grep -qx "a.c:3: error: no such thing" "$folder/err" || fail "$command: no line that names the error"
    ! grep -qx "one" "$folder/err" || fail "$command: lines that name none"
done
run 1 "$arena" check "$folder/bot"
grep -qx "a.c:3: error: no such thing" "$folder/out" || fail "check: no line that names the error"
bot 'cat output; exit 1'
printf 'a.c:1:2: error: no such name\n\tx\n  ^~~~\n' >"$folder/bot/output"
# submit shows the lines that check shows, also where the last one is gcc's mark, and tabs as blanks.
run 1 "$arena" check "$folder/bot"
sed -n '/build exited with 1/,/^  ^~~~/p' "$folder/out" | tail -n +2 >"$folder/checked"
run 2 "$arena" submit "$folder/bot"
grep -q 'the build exited with 1: a.c:1:2: error: no such name$' "$folder/err" || fail "submit does not name the error"
[ -s "$folder/checked" ] && tail -n +2 "$folder/err" | cmp - "$folder/checked" || fail "submit shows other lines than check"
grep -qx '        x' "$folder/err" || fail "a tab is not shown as blanks"
sed -i 's/"version": "1", //' "$folder/bot/bot.json"
run 2 "$arena" submit "$folder/bot"
grep -q 'bot.json: "version" is missing: add "version": "1"$' "$folder/err" || fail "a version that is missing"
bot 'printf \\\\033]0;title\\\\007; exit 1'
run 2 "$arena" build "$folder/bot"
! grep -q "$(printf '\033')" "$folder/out" "$folder/err" || fail "an escape of the build's reached the terminal"

# What was built for a match is there for the next: the second one takes no build's time.
bot 'sleep 3; cp greedy made'
begun=$(date +%s)
run 0 "$arena" match "$folder/bot" "$build/bots/random"
grep -qx 'arena: building bot: up to 5 minutes' "$folder/err" || fail "a build in a pipe is silent"
run 0 "$arena" match "$folder/bot" "$build/bots/random"
[ ! -s "$folder/err" ] || fail "a build from the cache is told"
run 0 "$arena" check --quick "$folder/bot"
[ "$(find "$folder/home/cache/builds" -name made | wc -l)" = 1 ] || fail "it was not kept once"
# A build that takes its time says so on a terminal, and nothing stays of it there.
bot 'sleep 3; cp greedy other'
python3 tests/commands/terminal.py "$arena" match "$folder/bot" "$build/bots/random" >"$folder/out"
head -n 1 "$folder/out" | sed 's/seed.*//' | grep -q '2 s' || fail "no progress on a terminal"
bot true
truncate -s 513M "$folder/bot/aaa" # sparse; the first file of the copy
run 2 "$arena" build "$folder/bot"
grep -q 'is larger than 512 MiB: remove files that builds and tests left there' "$folder/err" || fail "no cure"
bot 'head -c 8M /dev/zero >x; sleep 60'
run 2 "$arena" build --build-space 2 "$folder/bot"
grep -q 'more than 2 MiB' "$folder/err" || fail "no limit of the disk space"

# Of what a build leaves, "keep" names what stays; a path that it did not make is named.
mkdir "$folder/kept"
cp "$build/bots/greedy/greedy" "$folder/kept/source"
cat >"$folder/kept/bot.json" <<'JSON'
{"name": "kept", "version": "1", "author": "A", "run": ["./out/greedy"], "keep": ["out"],
 "build": ["sh", "-c", "mkdir out more; cp source out/greedy; touch more/x outer; ln -s out link"]}
JSON
run 0 "$arena" match "$folder/kept" "$build/bots/random"
made=$(dirname "$(find "$folder/home/cache/builds" -name out)")
[ "$(cd "$made" && find . -mindepth 1 | sort | tr '\n' ' ')" = "./bot.json ./out ./out/greedy " ] || fail "kept: $(ls -R "$made")"
sed -i 's/"keep": \["out"\]/"keep": ["out", "out\/none"]/' "$folder/kept/bot.json"
run 2 "$arena" build "$folder/kept"
grep -q 'kept/bot.json: "keep" names out/none, which the bot.s build did not make' "$folder/err" || fail "keep: nothing made"
for keep in '[]' '["/etc"]' '["../x"]' '["a/../b"]' '["a/"]' '[""]' '"out"'; do
    printf '{"run": ["./x"], "build": ["true"], "keep": %s}' "$keep" >"$folder/kept/bot.json"
    run 2 "$arena" build "$folder/kept"
    grep -q '"keep" is not an array of 1 to 64 paths' "$folder/err" || fail "keep $keep"
done
printf '{"run": ["./source"], "keep": ["source"]}' >"$folder/kept/bot.json"
run 2 "$arena" build "$folder/kept"
grep -q '"keep" names files that a build makes, but the manifest has no "build": add "build", or remove "keep"' "$folder/err" || fail "keep without a build"

# In somebody else's home (`sudo -E`), a link in the place of the cache would have root remove files elsewhere.
if [ "$(id -u)" -eq 0 ]; then
    mkdir "$folder/theirs"
    chown 12345 "$folder/theirs"
    bot 'cp greedy third'
    run 0 env ARENA_HOME="$folder/theirs" "$arena" build "$folder/bot"
    [ -z "$(ls "$folder/theirs")" ] || fail "a cache in the home of another user"
fi
