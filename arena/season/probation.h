/*
 * When a bot plays no more than a game now and then: after three forfeits in a row, or
 * forfeits in half of its last ten games. By name, so a new version does not lift it.
 * Pure. Source: docs/seasons.md.
 */
#ifndef ARENA_SEASON_PROBATION_H
#define ARENA_SEASON_PROBATION_H

#include <stdbool.h>
#include <stdint.h>

enum probation_limits {
    PROBATION_ROW = 3,     /* forfeits in a row */
    PROBATION_WINDOW = 10, /* the last games, of which ... */
    PROBATION_HALF = 5,    /* ... so many forfeits are too many */
};

/* What is remembered of a name. A zeroed one has played nothing. */
struct probation {
    uint16_t forfeits; /* a bit a game, the last one lowest */
};

/* Counts one more game of the name, in the schedule's order. */
void probation_add(struct probation *probation, bool forfeited);

/* True while the name is on probation. */
bool probation_holds(const struct probation *probation);

/* Forfeits at the end of its games, PROBATION_WINDOW at most, and in all of the window. */
int probation_row(const struct probation *probation);
int probation_count(const struct probation *probation);

/* Games that it has to play without a forfeit to be let off; 0 when it is not on probation. */
int probation_games_left(const struct probation *probation);

#endif
