/* SPDX-License-Identifier: MIT */
/* A bot that plays a random placement if any is legal, else a random action. */
#include "sdk/sdk.h"

static struct action play(void *self, const struct sdk_turn *turn)
{
    size_t first = 0, count = 0;

    (void)self;
    for (size_t i = 0; i < turn->action_count; i++)
        if (turn->actions[i].kind == ACTION_PLACE && count++ == 0)
            first = i; /* the placements are consecutive in the list */
    if (count == 0)
        count = turn->action_count;
    return turn->actions[first + sdk_random_below(turn->random, count)];
}

int main(void)
{
    return sdk_run(&(struct sdk_bot){.name = "random", .version = "1", .play_fn = play}, NULL);
}
