/* SPDX-License-Identifier: MIT */
/* A bot that takes the action with the most immediate points, counting a bonus tile as 4 points. */
#include "sdk/sdk.h"

static struct action play(void *self, const struct sdk_turn *turn)
{
    return sdk_greedy(self, turn->game);
}

int main(void)
{
    return sdk_run(&(struct sdk_bot){.name = "greedy", .version = "1", .play_fn = play}, NULL);
}
