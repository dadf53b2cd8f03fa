/* SPDX-License-Identifier: MIT */
#include "sdk/policy.h"

#include "engine/tiles.h"

enum {
    BONUS_TILE_POINTS = 4,
    /* Weight of a point. A tile has weight 1, so tiles decide between equal points. */
    POINT_WEIGHT = 256,
};

uint64_t sdk_filled(const struct game *game, int seat)
{
    return game->seats[seat].filled;
}

uint64_t sdk_feature_lacks(const struct game *game, int seat, int feature)
{
    return board_features[feature].spaces & ~game->seats[seat].filled;
}

int sdk_source_tiles(const struct game *game, int source, int color)
{
    return tiles_of(game->sources[source - GAME_SOURCE_CENTER], color);
}

int sdk_seat_tiles(const struct game *game, int seat, int color)
{
    return tiles_of(game->seats[seat].tiles, color);
}

struct sdk_gain sdk_gain(const struct game *game, struct action action)
{
    struct game after = *game;
    int seat = game_turn(game);

    game_play(&after, action);
    /* A placement that earns bonus tiles sets after.bonus; other actions leave it 0. */
    return (struct sdk_gain){.points = game_score(&after, seat) - game_score(game, seat),
                             .bonus_tiles = after.bonus,
                             .tiles = tiles_total(after.seats[seat].tiles)};
}

static int weigh(const struct game *game, struct action action)
{
    struct sdk_gain gain = sdk_gain(game, action);

    return POINT_WEIGHT * (gain.points + BONUS_TILE_POINTS * gain.bonus_tiles) + gain.tiles;
}

struct action sdk_greedy(void *self, const struct game *game)
{
    struct action actions[GAME_ACTIONS_MAX];
    size_t count = game_legal_actions(game, actions), best = 0;
    int best_weight = weigh(game, actions[0]);

    (void)self;
    for (size_t i = 1; i < count; i++) {
        int weight;

        /*
         * A placement gives a point or more. The passes, which follow, give none, unless one ends
         * the game.
         */
        if (game->round < GAME_ROUNDS && actions[0].kind == ACTION_PLACE &&
            actions[i].kind == ACTION_PASS)
            break;
        weight = weigh(game, actions[i]);
        if (weight > best_weight) {
            best = i;
            best_weight = weight;
        }
    }
    return actions[best];
}

size_t sdk_play_out(struct game *game, sdk_policy_fn *policy_fn, void *self)
{
    size_t count = 0;

    while (!game_is_over(game) && game_apply(game, policy_fn(self, game)))
        count++;
    return count;
}
