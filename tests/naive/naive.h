/* SPDX-License-Identifier: MIT */
/*
 * A second implementation of the rules, written directly from the rule text and as simple as
 * possible: counts in arrays, loops over everything, nothing cached. It shares the types of
 * engine/state.h, but no code. Its speed does not matter; where it and the engine differ, one of
 * them is wrong.
 */
#ifndef TESTS_NAIVE_NAIVE_H
#define TESTS_NAIVE_NAIVE_H

#include <stddef.h>

#include "engine/state.h"

struct naive_game {
    struct position table; /* all visible state, and all state except the two fields below */
    uint8_t seed[GAME_SEED_BYTES];
    uint32_t supply_draw_count;
};

/* The same contracts as game_init, game_legal_actions and game_rank. */
void naive_init(struct naive_game *game, int player_count, enum board_side side,
                const uint8_t seed[static GAME_SEED_BYTES]);
size_t naive_legal_actions(const struct naive_game *game,
                           struct action actions[static GAME_ACTIONS_MAX]);

/* Plays a legal action. */
void naive_play(struct naive_game *game, struct action action);

int naive_rank(const struct naive_game *game, int seat);

#endif
