/* SPDX-License-Identifier: MIT */
#include "arena/replay/effect.h"

#include <string.h>

#include "engine/tiles.h"

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

static void tell_draft(const struct game *game, const struct game *played, struct effect *effect)
{
    const uint64_t had = game->seats[effect->seat].tiles, has = played->seats[effect->seat].tiles;

    for (int color = 0; color < GAME_COLORS; color++)
        effect->moved[color] = (uint8_t)tiles_of(has - had, color);
    effect->token = effect->action.number[0] == GAME_SOURCE_CENTER && game->token == GAME_NOBODY;
    if (effect->token)
        effect->penalty = tiles_total(has - had);
}

static void tell_placement(const struct game *game, struct effect *effect)
{
    const int8_t *number = effect->action.number;
    int star = number[0], position = number[1], color = number[2], wilds = number[3];
    uint64_t was_filled = game->seats[effect->seat].filled;
    uint64_t filled = was_filled | board_space(star, position);

    effect->cost = board_costs[effect->board][star][position];
    effect->run = board_run(board_star(filled, star), position);
    effect->points = effect->run;
    effect->moved[color] = (uint8_t)(effect->cost - wilds);
    effect->moved[effect->wild] = (uint8_t)(effect->moved[effect->wild] + wilds);
    for (int feature = 0; feature < BOARD_FEATURES; feature++) {
        uint64_t spaces = board_features[feature].spaces;

        if ((filled & spaces) != spaces || (was_filled & spaces) == spaces)
            continue;
        effect->features |= 1u << feature;
        effect->earned += board_features[feature].tiles;
    }
    effect->granted = smaller(effect->earned, tiles_total(game->supply));
}

static void tell_pass(const struct game *game, struct effect *effect)
{
    for (int color = 0; color < GAME_COLORS; color++) {
        effect->moved[color] = (uint8_t)effect->action.number[color];
        effect->lost[color] =
            (uint8_t)(tiles_of(game->seats[effect->seat].tiles, color) - effect->moved[color]);
        effect->penalty += effect->lost[color];
    }
}

static void tell_kind(const struct game *game, const struct game *played, struct effect *effect)
{
    switch ((enum action_kind)effect->action.kind) {
    case ACTION_DRAFT:
        tell_draft(game, played, effect);
        return;
    case ACTION_PLACE:
        tell_placement(game, effect);
        return;
    case ACTION_BONUS:
        for (int color = 0; color < GAME_COLORS; color++)
            effect->moved[color] = (uint8_t)effect->action.number[color];
        return;
    case ACTION_PASS:
        tell_pass(game, effect);
        return;
    }
}

bool effect_of(const struct game *game, struct action action, struct effect *effect)
{
    struct game played = *game;
    int had;

    if (game_is_over(game) || !game_apply(&played, action))
        return false;
    had = game->seats[game->player].score;
    *effect = (struct effect){.action = action,
                              .seat = game->player,
                              .round = game->round,
                              .wild = game->round - 1,
                              .board = (enum board_side)game->board};
    tell_kind(game, &played, effect);
    if (effect->penalty > 0)
        effect->points = -smaller(effect->penalty, had - GAME_SCORE_MIN);
    effect->score = had + effect->points;
    effect->game_ended = game_is_over(&played);
    return true;
}

bool effect_final(const struct game *game, struct action action,
                  struct effect_final finals[static GAME_PLAYERS_MAX])
{
    struct game played = *game;
    struct effect effect;

    memset(finals, 0, GAME_PLAYERS_MAX * sizeof *finals);
    if (!effect_of(game, action, &effect) || !effect.game_ended)
        return false;
    game_play(&played, action);
    for (int i = 0; i < game->player_count; i++) {
        const struct game_seat *seat = &played.seats[i];
        struct effect_final *final = &finals[i];
        int sum;

        final->before = sum = i == effect.seat ? effect.score : game->seats[i].score;
        for (int star = 0; star < GAME_STARS; star++) {
            sum += final->stars[star] = board_star_points(seat, star);
            final->covered[star] = __builtin_popcount(board_star(seat->filled, star));
        }
        for (int cost = 1; cost <= BOARD_REWARDED_COSTS; cost++)
            sum += final->costs[cost - 1] = board_cost_points(seat, effect.board, cost);
        final->after = game_score(&played, i);
        final->corners = sum - final->after;
    }
    return true;
}
