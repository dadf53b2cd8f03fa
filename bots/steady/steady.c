/* SPDX-License-Identifier: MIT */
/*
 * A bot that chooses the draft after which its position has the highest value, by weights learned
 * from self-play (sdk/steady/weights.h lists the features), and plans its placements by beam
 * search, up to the best pass (sdk/steady/steady.h).
 */
#include "sdk/steady/steady.h"
#include "sdk/steady/tables.h"
#include "sdk/sdk.h"

static void begin(void *self, const struct wire_hello *hello)
{
    tables_load(hello->player_count, hello->board, self);
}

static struct action play(void *self, const struct sdk_turn *turn)
{
    int32_t worth;
    struct action action = steady_choose(self, turn->game, &worth);

    if (turn->state->phase == PHASE_DRAFT)
        sdk_note(turn, "the best of %zu actions: %+.1f points", turn->action_count,
                 (double)worth / VALUE_POINT);
    else
        sdk_note(turn, "expects %.1f points at the end of the game", (double)worth / VALUE_POINT);
    return action;
}

int main(void)
{
    /* Weights for the match's number of players and board side. */
    static struct weights_set weights;

    return sdk_run(
        &(struct sdk_bot){.name = "steady", .version = "1", .hello_fn = begin, .play_fn = play},
        &weights);
}
