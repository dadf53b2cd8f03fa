/* SPDX-License-Identifier: MIT */
/* Positions for tests: games played at random for a while. */
#ifndef TESTS_BOTS_PLAY_H
#define TESTS_BOTS_PLAY_H

#include "bots/search/drafting.h"
#include "sdk/steady/tables.h"
#include "engine/draw.h"
#include "engine/tiles.h"

/* The six settings, one per row. */
struct setting {
    int player_count;
    enum board_side side;
};

enum {
    SETTINGS = 6,
};

static const struct setting settings[SETTINGS] = {
    {2, BOARD_COLORED}, {2, BOARD_GRAY},    {3, BOARD_COLORED},
    {3, BOARD_GRAY},    {4, BOARD_COLORED}, {4, BOARD_GRAY},
};

static inline struct game deal(struct setting setting, uint64_t number)
{
    uint8_t seed[GAME_SEED_BYTES] = {(uint8_t)number, (uint8_t)(number >> 8)};
    struct game game;

    game_init(&game, setting.player_count, setting.side, seed);
    return game;
}

/* Plays at random until at most that many tiles are on the table in a draft of the round. */
static inline struct game late_draft(struct setting setting, uint64_t number, int round, int tiles)
{
    struct game game = deal(setting, number);
    uint64_t random = number;

    while (game.round < round || game.phase != PHASE_DRAFT ||
           tiles_total(drafting_table(&game)) > tiles)
        game_play(&game, game_draw_action(&game, draw_next(&random)));
    return game;
}

/* Fills in random weights: different for each feature, positive and negative. */
static inline void fill_by_chance(struct weights_set *set, uint64_t random)
{
    int32_t *weights = (int32_t *)set;

    for (size_t i = 0; i < sizeof *set / sizeof *weights; i++)
        weights[i] = (int32_t)(draw_next(&random) % (8 * VALUE_POINT)) - 4 * VALUE_POINT;
}

#endif
