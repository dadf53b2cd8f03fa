/* SPDX-License-Identifier: MIT */
/*
 * Computes the worth of seats during a draft phase: the result of value_of(), in a tenth of its
 * time. Boards, supply and bag do not change during a draft phase. So drafting_prepare sums up,
 * once per phase, the weights of each color for every number of its tiles in the hand and on the
 * table.
 */
#ifndef BOTS_SEARCH_DRAFTING_H
#define BOTS_SEARCH_DRAFTING_H

#include "sdk/steady/value.h"

enum {
    DRAFTING_TILES = 8, /* table size: 0..7 tiles of a color in the hand */
    DRAFTING_WILDS = 6, /* table size: 0..5 wild tiles in the hand */
    DRAFTING_THERE = 7, /* table size: 0..6 tiles of a color on the table */
};

struct drafting_seat {
    int32_t base; /* sum of the weights that do not depend on tiles */
    int32_t colors[GAME_COLORS][DRAFTING_WILDS][DRAFTING_THERE][DRAFTING_TILES];
    int fills[GAME_COLORS];                   /* by color: filled spaces of the star that accepts
                                                 only this color */
    int mixed_count;                          /* number of stars that accept several colors */
    unsigned mixed_takes[GAME_STARS];         /* set of colors that each of these stars accepts */
    const int32_t *mixed_weights[GAME_STARS]; /* weights of each of these stars, by the number of
                                                 accepted colors in the hand */
};

struct drafting_values {
    const struct weights
        *weights;         /* weights of the computed values; NULL: nothing is computed yet */
    uint64_t supply, bag; /* tiles for which the values were computed */
    uint64_t filled[GAME_PLAYERS_MAX];
    uint32_t colors[GAME_PLAYERS_MAX][GAME_STARS]; /* boards for which the values were computed */
    struct drafting_seat seats[GAME_PLAYERS_MAX];
};

/*
 * Computes the values for a game in the draft phase. Returns false, and keeps the values, if
 * boards, bag and supply are unchanged since the last call. *set must outlive *values. After a
 * change of *set, zero *values before the next call.
 */
bool drafting_prepare(struct drafting_values *values, const struct weights_set *set,
                      const struct game *game);

/* Returns all tiles on the displays and in the center. */
uint64_t drafting_table(const struct game *game);

/* Returns the score plus value of a seat, in the draft phase for which `values` was prepared, or
 * just after it. `table` is the result of drafting_table, `groups` of
 * outlook_groups. */
int32_t drafting_worth(const struct drafting_values *values, const struct game *game, int seat,
                       uint64_t table, uint64_t groups);

#endif
