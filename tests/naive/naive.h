/*
 * The rules a second time, read straight from the rule text and as plainly as they can be
 * put: counts in arrays, loops over everything, nothing remembered that can be counted
 * again. It shares the types of engine/state.h and no code. What it costs does not
 * matter; where it and the engine differ, one of them is wrong.
 */
#ifndef TESTS_NAIVE_NAIVE_H
#define TESTS_NAIVE_NAIVE_H

#include <stddef.h>

#include "engine/state.h"

struct naive_game {
    struct position table; /* everything that is seen, and all there is but the two below */
    uint8_t seed[GAME_SEED_BYTES];
    uint32_t supply_draw_count;
};

/* The same promises as game_init, game_legal_actions and game_rank. */
void naive_init(struct naive_game *game, int player_count, enum board_side side,
                const uint8_t seed[static GAME_SEED_BYTES]);
size_t naive_legal_actions(const struct naive_game *game,
                           struct action actions[static GAME_ACTIONS_MAX]);

/* Plays an action of the list. */
void naive_play(struct naive_game *game, struct action action);

int naive_rank(const struct naive_game *game, int seat);

#endif
