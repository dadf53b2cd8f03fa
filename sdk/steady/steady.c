/* SPDX-License-Identifier: MIT */
#include "sdk/steady/steady.h"

#include "sdk/policy.h"
#include "sdk/steady/plan.h"

_Static_assert(sizeof(struct sdk_weights) == sizeof(struct weights_set),
               "SDK_WEIGHTS_COUNT is the number of weights in a set");
_Static_assert((int)SDK_POINT == (int)VALUE_POINT, "values have one unit");

enum {
    LAMBDA = 256,   /* other seats' average points count as much as the bot's own points */
    PLAN_WIDTH = 4, /* number of sequences of placements that each step of a plan keeps */
};

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

struct action steady_choose(const struct weights_set *set, const struct game *game, int32_t *worth)
{
    struct plan plan;

    if (game_phase(game) == PHASE_DRAFT)
        return best_draft(set, game, worth);
    plan = plan_make(set, game, game_turn(game), game->bonus, PLAN_WIDTH, true);
    *worth = plan.worth;
    return plan.first;
}

struct action sdk_steady(void *self, const struct game *game)
{
    int32_t worth;

    return steady_choose(self, game, &worth);
}

int32_t sdk_value(const struct sdk_weights *weights, const struct game *game, int seat)
{
    const struct weights_set *set = (const struct weights_set *)weights;
    const struct game_seat *state = &game->seats[seat];
    struct outlook outlook;

    switch (game_phase(game)) {
    case PHASE_OVER:
        return SDK_POINT * game_score(game, seat);
    case PHASE_DRAFT:
        outlook = outlook_of_draft(game, seat);
        break;
    case PHASE_PLACE:
    case PHASE_BONUS:
        if (!(game->passed >> seat & 1))
            return plan_make(set, game, seat, seat == game->player ? game->bonus : 0, PLAN_WIDTH,
                             true)
                .worth;
        outlook = outlook_of_place(game, state, seat, VALUE_END, 0);
        break;
    }
    return SDK_POINT * state->score + value_of(set, &outlook);
}
