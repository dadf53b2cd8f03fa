/* SPDX-License-Identifier: MIT */
#include "sdk/steady/value.h"

#include "engine/board.h"
#include "engine/tiles.h"
#include "engine/turn.h"
#include "engine/word.h"

int32_t value_of(const struct weights_set *set, const struct outlook *outlook)
{
    const int32_t *weights = (const int32_t *)&set->of[outlook->round - 1][outlook->kind];
    struct features features;
    int32_t sum = 0;

    /* After the game's last pass, a seat expects exactly its final points. */
    if (outlook->kind == VALUE_END && outlook->round == GAME_ROUNDS)
        return VALUE_POINT * (board_final_points(outlook->seat, outlook->side) -
                              tiles_total(outlook->seat->tiles));
    features_list(outlook, &features);
    for (size_t i = 0; i < features.count; i++)
        sum += weights[features.index[i]];
    return sum;
}

int32_t value_relative(const struct game *game, int seat, int lambda,
                       const int32_t worths[static GAME_PLAYERS_MAX])
{
    int64_t others = 0;

    for (int i = 0; i < game->player_count; i++)
        others += i == seat ? 0 : worths[i];
    return (int32_t)(worths[seat] - others * lambda / (256 * (game->player_count - 1)));
}

int32_t value_of_draft(const struct weights_set *set, const struct game *game, int seat, int lambda)
{
    struct outlook outlook = outlook_of_draft(game, 0);
    int32_t worths[GAME_PLAYERS_MAX];

    for (int i = 0; i < game->player_count; i++) {
        outlook_turn_to(&outlook, game, i);
        worths[i] = VALUE_POINT * game->seats[i].score + value_of(set, &outlook);
    }
    return value_relative(game, seat, lambda, worths);
}

struct step step_of(const struct game *game, struct action action)
{
    uint64_t word = word_of(action);
    struct step step = {
        .seat = game->seats[game->player], .supply = game->supply, .kind = VALUE_PLACE};
    struct game_seat *seat = &step.seat;

    switch ((enum action_kind)action.kind) {
    case ACTION_PLACE: {
        int star = action.number[0], position = action.number[1], color = action.number[2];
        int wilds = action.number[3];
        int cost = board_costs[game->board][star][position];
        int supplied = tiles_total(game->supply);

        seat->tiles -= (uint64_t)(cost - wilds) << (8 * color);
        seat->tiles -= (uint64_t)wilds << (8 * (game->round - 1));
        board_fill(seat, (enum board_side)game->board, star, position, color);
        seat->score += board_run(board_star(seat->filled, star), position);
        step.bonus = board_bonus(seat->filled, star, position);
        step.bonus = step.bonus < supplied ? step.bonus : supplied;
        break;
    }
    case ACTION_BONUS:
        seat->tiles += word_tiles(word);
        step.supply -= word_tiles(word);
        break;
    case ACTION_PASS:
        turn_lose_points(seat, tiles_total(seat->tiles - word_tiles(word)));
        seat->tiles = word_tiles(word);
        step.kind = VALUE_END;
        break;
    case ACTION_DRAFT:
        break;
    }
    return step;
}

/* Returns the score plus value of the seat to act after a step. */
static int32_t value_of_step(const struct weights_set *set, const struct game *game,
                             const struct step *step)
{
    struct outlook outlook =
        outlook_of_place(game, &step->seat, game->player, step->kind, step->bonus);

    outlook.supply = step->supply;
    return VALUE_POINT * step->seat.score + value_of(set, &outlook);
}

bool value_is_waste(const struct game *game, struct action action)
{
    int held = tiles_total(game->seats[game->player].tiles);
    int keepable = held < GAME_CORNERS ? held : GAME_CORNERS;

    return action.kind == ACTION_PASS && tiles_total(word_tiles(word_of(action))) < keepable;
}

int32_t value_of_action(const struct weights_set *set, const struct game *game,
                        struct action action, int lambda)
{
    if (action.kind == ACTION_DRAFT) {
        struct game after = *game;

        game_play(&after, action);
        return value_of_draft(set, &after, game->player, lambda);
    } else {
        struct step step = step_of(game, action);

        return value_of_step(set, game, &step);
    }
}
