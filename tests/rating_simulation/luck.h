/*
 * Games between bots of known strength. The chance that one beats another is exactly
 * what a rating says, and part of what decides a game is luck of the seat that all
 * games of a group share, as games of one seed do.
 */
#ifndef TESTS_RATING_SIMULATION_LUCK_H
#define TESTS_RATING_SIMULATION_LUCK_H

#include <stdint.h>

#include "arena/rating/games.h"

struct luck {
    uint64_t state; /* of the generator; any seed will do */
    double share;   /* of the luck of a game that its group shares, 0..1 */
};

/* Uniform, above 0 and below 1. */
double luck_uniform(struct luck *luck);

/* Normal, mean 0 and variance 1. */
double luck_normal(struct luck *luck);

/* A whole number from 0 to count - 1. */
int luck_below(struct luck *luck, int count);

/*
 * Plays a group: player_count games of the bots in base, each bot once in every seat.
 * elo is the true strength by bot. Writes a result for each game.
 */
void luck_play_group(struct luck *luck, const double *elo, int64_t group, int player_count,
                     const uint16_t *base, struct games_result results[static GAMES_PLAYERS_MAX]);

#endif
