/* SPDX-License-Identifier: MIT */
/*
 * A bot that plays as steady but for one habit, HABIT: the best action by its weights that the
 * habit allows, and steady's own where the habit allows none. `arena analyse --summary` is to name
 * it.
 */
#include <string.h>

#include "sdk/steady/steady.h"
#include "sdk/steady/tables.h"
#include "sdk/sdk.h"

enum habit {
    HABIT_NO_BONUS,   /* places nothing that earns bonus tiles, if it can place anything else */
    HABIT_EARLY_PASS, /* passes once it has at most FEW_TILES */
    HABIT_NO_WILD,    /* drafts no wild tile */
    HABIT_DISCARD,    /* keeps nothing when it passes */
};

enum {
    FEW_TILES = 6,
    LAMBDA = 256,
};

static int count_tiles(const struct action *action)
{
    int count = 0;

    for (int color = 0; color < GAME_COLORS; color++)
        count += action->number[color];
    return count;
}

static int hand_of(const struct game *game)
{
    struct position view;
    int count = 0;

    game_view(game, &view);
    for (int color = 0; color < GAME_COLORS; color++)
        count += view.seats[view.player].hand[color];
    return count;
}

static bool takes_wild(const struct game *game, struct action action)
{
    struct position view;
    const uint8_t *source;

    game_view(game, &view);
    source = action.number[0] == GAME_SOURCE_CENTER ? view.center : view.displays[action.number[0]];
    return source[view.wild] > 0;
}

static bool allows(enum habit habit, const struct game *game, struct action action)
{
    struct game after = *game;

    switch (habit) {
    case HABIT_NO_BONUS:
        return action.kind != ACTION_PASS &&
               (action.kind != ACTION_PLACE ||
                (game_apply(&after, action) && after.phase != PHASE_BONUS));
    case HABIT_EARLY_PASS:
        return game->phase != PHASE_PLACE || hand_of(game) > FEW_TILES ||
               action.kind == ACTION_PASS;
    case HABIT_NO_WILD:
        return action.kind != ACTION_DRAFT || !takes_wild(game, action);
    case HABIT_DISCARD:
        return action.kind != ACTION_PASS || count_tiles(&action) == 0;
    }
    return true;
}

static void begin(void *self, const struct wire_hello *hello)
{
    tables_load(hello->player_count, hello->board, self);
}

static struct action play(void *self, const struct sdk_turn *turn)
{
    const struct weights_set *weights = self;
    int32_t most = INT32_MIN, worth;
    struct action best = steady_choose(weights, turn->game, &worth);

    if (allows(HABIT, turn->game, best))
        return best;
    for (size_t i = 0; i < turn->action_count; i++) {
        if (!allows(HABIT, turn->game, turn->actions[i]))
            continue;
        worth = value_of_action(weights, turn->game, turn->actions[i], LAMBDA);
        if (worth > most) {
            most = worth;
            best = turn->actions[i];
        }
    }
    return best;
}

int main(void)
{
    static struct weights_set weights;

    return sdk_run(
        &(struct sdk_bot){.name = "habit", .version = "1", .hello_fn = begin, .play_fn = play},
        &weights);
}
