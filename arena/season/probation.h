/*
 * Probation: a bot plays only a few games after three forfeits in a row, or forfeits in half of its
 * last ten games. It applies to the name, so a new version does not end it. Pure. Source:
 * docs/seasons.md.
 */
#ifndef ARENA_SEASON_PROBATION_H
#define ARENA_SEASON_PROBATION_H

#include <stdbool.h>
#include <stdint.h>

enum probation_limits {
    PROBATION_ROW = 3,     /* this many forfeits in a row cause probation */
    PROBATION_WINDOW = 10, /* so does, among this many last games ... */
    PROBATION_HALF = 5,    /* ... this many forfeits */
};

/* The recent games of a name. Zeroed: none played. */
struct probation {
    uint16_t forfeits; /* a bit per game, the latest lowest */
};

/* Adds one game of the name, in the schedule's order. */
void probation_add(struct probation *probation, bool forfeited);

/* True while the name is on probation. */
bool probation_holds(const struct probation *probation);

/*
 * Return how many of its last PROBATION_WINDOW games were forfeits: in a row at the end, and in
 * total.
 */
int probation_row(const struct probation *probation);
int probation_count(const struct probation *probation);

/* Returns how many games without a forfeit end the probation; 0 if it is not on probation. */
int probation_games_left(const struct probation *probation);

#endif
