/* SPDX-License-Identifier: MIT */
/*
 * A bot that plays as steady, but for one decision of a match: there it plays the action that its
 * weights value least, and notes "planted". The seed of the match chooses the decision.
 */
#include <string.h>

#include "sdk/steady/steady.h"
#include "sdk/steady/tables.h"
#include "sdk/sdk.h"

enum {
    DECISIONS = 40, /* the decision is one of the bot's first 40 */
    LEAST =
        5 *
        VALUE_POINT, /* a smaller difference is no blunder: the bot waits for the next decision */
    LAMBDA = 256,
};

struct blunder {
    struct weights_set weights;
    uint64_t wait; /* decisions before the blunder */
    bool is_done;
};

static void begin(void *self, const struct wire_hello *hello)
{
    struct blunder *blunder = self;

    tables_load(hello->player_count, hello->board, &blunder->weights);
    blunder->wait = hello->seed % DECISIONS;
    blunder->is_done = false;
}

/* Sets *worst to the action of the least value. Returns how much less than the greatest that is. */
static int32_t find_worst(const struct blunder *blunder, const struct sdk_turn *turn,
                          struct action *worst)
{
    int32_t least = INT32_MAX, most = INT32_MIN;

    for (size_t i = 0; i < turn->action_count; i++) {
        int32_t value = value_of_action(&blunder->weights, turn->game, turn->actions[i], LAMBDA);

        if (value < least) {
            least = value;
            *worst = turn->actions[i];
        }
        if (value > most)
            most = value;
    }
    return most - least;
}

static struct action play(void *self, const struct sdk_turn *turn)
{
    struct blunder *blunder = self;
    struct action worst;
    int32_t worth;

    sdk_expect(turn, INT32_MAX, -INT32_MAX); /* an analyst may say anything */
    if (blunder->wait > 0) {
        blunder->wait--;
    } else if (!blunder->is_done && find_worst(blunder, turn, &worst) >= LEAST) {
        blunder->is_done = true;
        sdk_note(turn, "planted");
        return worst;
    }
    return steady_choose(&blunder->weights, turn->game, &worth);
}

int main(void)
{
    static struct blunder blunder;

    return sdk_run(
        &(struct sdk_bot){.name = "blunder", .version = "1", .hello_fn = begin, .play_fn = play},
        &blunder);
}
