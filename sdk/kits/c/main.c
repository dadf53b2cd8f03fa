/* SPDX-License-Identifier: MIT */
/* Runs the bot. Nothing here needs a change: bot.c decides. */
#include "bot.h"

int main(void)
{
    struct sdk_bot bot = {.name = "@NAME@", .hello_fn = begin, .play_fn = choose};

    return sdk_run(&bot, NULL);
}
