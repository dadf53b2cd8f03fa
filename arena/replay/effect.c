/* SPDX-License-Identifier: MIT */
#include "arena/replay/effect.h"

#include <string.h>

static int count_tiles(const uint8_t tiles[static GAME_COLORS])
{
    int count = 0;

    for (int color = 0; color < GAME_COLORS; color++)
        count += tiles[color];
    return count;
}

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

static void tell_draft(const struct position *before, const struct game *played,
                       struct effect *effect)
{
    struct position after;
    const uint8_t *had = before->seats[effect->seat].hand;
    const uint8_t *has = after.seats[effect->seat].hand;

    game_view(played, &after);
    for (int color = 0; color < GAME_COLORS; color++)
        effect->moved[color] = (uint8_t)(has[color] - had[color]);
    effect->token = effect->action.number[0] == GAME_SOURCE_CENTER && before->token == GAME_NOBODY;
    if (effect->token)
        effect->penalty = count_tiles(effect->moved);
}

static void tell_placement(const struct game *game, const struct position *before,
                           struct effect *effect)
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
    effect->granted = smaller(effect->earned, count_tiles(before->supply));
}

static void tell_pass(const struct position *before, struct effect *effect)
{
    for (int color = 0; color < GAME_COLORS; color++) {
        effect->moved[color] = (uint8_t)effect->action.number[color];
        effect->lost[color] =
            (uint8_t)(before->seats[effect->seat].hand[color] - effect->moved[color]);
    }
    effect->penalty = count_tiles(effect->lost);
}

static void tell_kind(const struct game *game, const struct position *before,
                      const struct game *played, struct effect *effect)
{
    switch ((enum action_kind)effect->action.kind) {
    case ACTION_DRAFT:
        tell_draft(before, played, effect);
        return;
    case ACTION_PLACE:
        tell_placement(game, before, effect);
        return;
    case ACTION_BONUS:
        for (int color = 0; color < GAME_COLORS; color++)
            effect->moved[color] = (uint8_t)effect->action.number[color];
        return;
    case ACTION_PASS:
        tell_pass(before, effect);
        return;
    }
}

bool effect_of(const struct game *game, struct action action, struct effect *effect)
{
    struct game played = *game;
    struct position before;
    int had;

    if (game_is_over(game) || !game_apply(&played, action))
        return false;
    game_view(game, &before);
    had = before.seats[before.player].score;
    *effect = (struct effect){.action = action,
                              .seat = before.player,
                              .round = before.round,
                              .wild = before.wild,
                              .board = (enum board_side)before.board};
    tell_kind(game, &before, &played, effect);
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
    struct position before;

    memset(finals, 0, GAME_PLAYERS_MAX * sizeof *finals);
    if (!effect_of(game, action, &effect) || !effect.game_ended)
        return false;
    game_play(&played, action);
    game_view(game, &before);
    for (int i = 0; i < before.player_count; i++) {
        const struct game_seat *seat = &played.seats[i];
        struct effect_final *final = &finals[i];
        int sum;

        final->before = sum = i == effect.seat ? effect.score : before.seats[i].score;
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
