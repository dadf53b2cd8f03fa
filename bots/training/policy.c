#include "bots/training/policy.h"

#include "engine/draw.h"
#include "engine/tiles.h"

static int32_t weigh(const struct policy *policy, const struct weights_set *set,
                     const struct game *game, struct action action)
{
    int64_t value = value_of_action(set, game, action, policy->lambda);
    struct game after = *game;
    int tiles;

    if (action.kind != ACTION_DRAFT || policy->tile_points == 0)
        return (int32_t)value;
    game_play(&after, action);
    tiles = tiles_total(after.seats[game->player].tiles - game->seats[game->player].tiles);
    return (int32_t)(value * policy->value_percent / 100 +
                     (int64_t)tiles * policy->tile_points * VALUE_POINT);
}

static struct action look_ahead(const struct policy *policy, struct search *search,
                                const struct game *game)
{
    int32_t worth;

    if (game_phase(game) != PHASE_DRAFT)
        return plan_make(search->set, game, game->player, game->bonus, POLICY_WIDTH, true).first;
    search->lambda = policy->lambda;
    search->depth_max = POLICY_DEPTH;
    return search_draft(search, game, &worth);
}

struct action policy_choose(const struct policy *policy, struct search *search,
                            const struct game *game, uint64_t *random)
{
    struct action actions[GAME_ACTIONS_MAX];
    size_t count = game_legal_actions(game, actions);
    int32_t best_value = INT32_MIN;
    size_t best = 0;

    if (draw_below(draw_next(random), 1000) < (uint32_t)policy->random_permille)
        return actions[draw_below(draw_next(random), (uint32_t)count)];
    if (count == 1)
        return actions[0];
    if (policy->looks_ahead)
        return look_ahead(policy, search, game);
    for (size_t i = 0; i < count; i++) {
        int32_t value;

        if (value_is_waste(game, actions[i]))
            continue;
        value = weigh(policy, search->set, game, actions[i]);
        if (value > best_value) {
            best_value = value;
            best = i;
        }
    }
    return actions[best];
}
