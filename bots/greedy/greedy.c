/* SPDX-License-Identifier: MIT */
/* A bot that takes the action with the most immediate points, counting a bonus tile as 4 points. */
#include "bots/search/policy.h"
#include "sdk/sdk.h"

static struct action play(void *self, const struct sdk_turn *turn)
{
    (void)self;
    return policy_greedy(turn->game);
}

int main(void)
{
    return sdk_run(&(struct sdk_bot){.name = "greedy", .version = "1", .play_fn = play}, NULL);
}
