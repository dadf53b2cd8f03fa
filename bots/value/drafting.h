/*
 * The worth of seats while tiles are drafted: the same as value_of(), in a tenth of the time.
 * Boards, supply and bag do not change during a draft, so the weights for a color's tiles are
 * summed up once, for each number of them in the hand and on the table.
 */
#ifndef BOTS_VALUE_DRAFTING_H
#define BOTS_VALUE_DRAFTING_H

#include "bots/value/value.h"

enum {
    DRAFTING_TILES = 8, /* own tiles of a color, 0..7 */
    DRAFTING_WILDS = 6, /* own wild tiles, 0..5 */
    DRAFTING_THERE = 7, /* tiles of a color on the table, 0..6 */
};

struct drafting_seat {
    int32_t base; /* sum of the weights that depend on no tiles */
    int32_t colors[GAME_COLORS][DRAFTING_WILDS][DRAFTING_THERE][DRAFTING_TILES];
    int mixed_count;                          /* number of stars of different colors */
    unsigned mixed_takes[GAME_STARS];         /* the colors that each of them accepts */
    const int32_t *mixed_weights[GAME_STARS]; /* by how many of these colors are in the hand */
};

struct drafting_values {
    const struct weights *weights; /* NULL: not prepared */
    uint64_t supply, bag;          /* the supply, the bag */
    uint64_t filled[GAME_PLAYERS_MAX];
    uint32_t colors[GAME_PLAYERS_MAX][GAME_STARS]; /* and the boards that the values are for */
    struct drafting_seat seats[GAME_PLAYERS_MAX];
};

/*
 * Prepares the values for the current draft of a game in phase 1; keeps them, and returns false, if
 * boards, bag and supply are unchanged. set must outlive values and must not change while they are
 * used; zero values if it does.
 */
bool drafting_prepare(struct drafting_values *values, const struct weights_set *set,
                      const struct game *game);

/* Returns all tiles on the displays and in the center. */
uint64_t drafting_table(const struct game *game);

/* Returns the score plus value of a seat in a position of that draft, or just after it. */
int32_t drafting_worth(const struct drafting_values *values, const struct game *game, int seat,
                       uint64_t table);

#endif
