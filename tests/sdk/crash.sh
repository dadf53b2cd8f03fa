#!/bin/sh
# SPDX-License-Identifier: MIT
# A bot in C that crashes names the place: the function with its offset, and the command that finds the
# line. Both stand in the forfeit; how the bot ended stays as it was. $1 is the build folder.
. tests/begin.inc

mkdir "$folder/crasher"
cat >"$folder/bot.c" <<'C'
#include "sdk/sdk.h"

struct action choose(void *self, const struct sdk_turn *turn);

struct action choose(void *self, const struct sdk_turn *turn)
{
    char deep[1 << 16];

    if (CRASH == 1 && turn->turn > 1)
        *(volatile int *)self = 1; /* line 10 */
    else if (CRASH == 2) /* its stack is full: the handler has one of its own */
        return choose((deep[turn->turn] = 1, deep), turn);
    return turn->actions[self != NULL && *(volatile char *)self];
}

int main(void)
{
    return sdk_run(&(struct sdk_bot){.name = "crasher", .play_fn = choose}, NULL);
}
C
echo '{"name": "crasher", "version": "1", "author": "A", "run": ["./crasher"]}' >"$folder/crasher/bot.json"
for crash in 1 2; do
    cc -O0 -g -rdynamic -DCRASH=$crash -I. "$folder/bot.c" "$build/sdk/libsdk_plain.a" \
        "$build/engine/libengine_plain.a" -o "$folder/crasher/crasher"
    told='crash: the bot was killed by a signal (signal 11, Segmentation fault): crashed at choose+0x'
    expect 0 "$told" "$arena" match "$folder/crasher" "$build/bots/random"
done
grep -q 'names the line of a fresh build' "$folder/out" || fail 'which build, it does not say'
sed -n 's/.*\(addr2line.*\) names the line.*/\1/p' "$folder/out" | tail -n 1 >"$folder/command"
if command -v addr2line >/dev/null; then
    (cd "$folder/crasher" && sh "$folder/command") | grep -q 'choose at .*bot.c:' || fail 'no line'
fi
