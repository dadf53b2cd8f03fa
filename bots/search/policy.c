/* SPDX-License-Identifier: MIT */
#include "bots/search/policy.h"

#include "bots/search/plan.h"
#include "engine/tiles.h"

enum {
    BONUS_TILE_POINTS = 4,
    /* Weight of a point. A tile in the hand has weight 1, so tiles decide between equal points. */
    POINT_WEIGHT = 256,
    LAMBDA = 256,   /* other seats' average points count as much as the bot's own points */
    PLAN_WIDTH = 4, /* number of sequences of placements that each step of a plan keeps */
};

static int weigh(const struct game *game, struct action action, int seat)
{
    struct game after = *game;
    int points;

    game_play(&after, action);
    points = game_score(&after, seat) - game_score(game, seat);
    /* A placement that earns bonus tiles sets after.bonus; other actions leave it 0. */
    points += BONUS_TILE_POINTS * after.bonus;
    return POINT_WEIGHT * points + tiles_total(after.seats[seat].tiles);
}

struct action policy_greedy(const struct game *game)
{
    struct action actions[GAME_ACTIONS_MAX];
    size_t count = game_legal_actions(game, actions), best = 0;
    int seat = game_turn(game), best_weight = weigh(game, actions[0], seat);

    for (size_t i = 1; i < count; i++) {
        int weight = weigh(game, actions[i], seat);

        if (weight > best_weight) {
            best = i;
            best_weight = weight;
        }
    }
    return actions[best];
}

static struct action best_draft(const struct weights_set *set, const struct game *game,
                                int32_t *worth)
{
    struct action actions[GAME_ACTIONS_MAX];
    size_t count = game_legal_actions(game, actions), best = 0;

    *worth = INT32_MIN;
    for (size_t i = 0; i < count; i++) {
        int32_t value = value_of_action(set, game, actions[i], LAMBDA);

        if (value > *worth) {
            *worth = value;
            best = i;
        }
    }
    return actions[best];
}

struct action policy_steady(const struct weights_set *set, const struct game *game, int32_t *worth)
{
    struct plan plan;

    if (game_phase(game) == PHASE_DRAFT)
        return best_draft(set, game, worth);
    plan = plan_make(set, game, game_turn(game), game->bonus, PLAN_WIDTH, true);
    *worth = plan.worth;
    return plan.first;
}
