/* SPDX-License-Identifier: MIT */
/*
 * Games between bots of known strength. The probability that one beats another is exactly what
 * their ratings say. Part of the luck of a seat is shared by all games of a group, as with games of
 * one seed.
 */
#ifndef TESTS_RATING_SIMULATION_LUCK_H
#define TESTS_RATING_SIMULATION_LUCK_H

#include <stdint.h>

#include "arena/rating/games.h"

struct luck {
    uint64_t state; /* of the generator; any seed is valid */
    double share;   /* part of a game's luck that its group shares, 0..1 */
};

/* Returns a uniform random number above 0 and below 1. */
double luck_uniform(struct luck *luck);

/* Returns a normal random number with mean 0 and variance 1. */
double luck_normal(struct luck *luck);

/* Returns a random integer from 0 to count - 1. */
int luck_below(struct luck *luck, int count);

/*
 * Plays a group: player_count games of the bots in base, each bot once in every seat. elo is the
 * true strength, by bot. Writes a result per game.
 */
void luck_play_group(struct luck *luck, const double *elo, int64_t group, int player_count,
                     const uint16_t *base, struct games_result results[static GAMES_PLAYERS_MAX]);

#endif
