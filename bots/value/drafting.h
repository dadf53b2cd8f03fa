/*
 * What seats are worth while tiles are drafted: the same as value_of(), in a tenth of the time.
 * Boards, the supply and the bag do not change during a draft, so the weights that look at a
 * color's tiles are added up once, for each number of them in the hand and on the table.
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
    int32_t base; /* of what looks at no tiles */
    int32_t colors[GAME_COLORS][DRAFTING_WILDS][DRAFTING_THERE][DRAFTING_TILES];
    int mixed_count;                          /* stars of different colors */
    unsigned mixed_takes[GAME_STARS];         /* the colors that each of them takes */
    const int32_t *mixed_weights[GAME_STARS]; /* by how many of those are in the hand */
};

struct drafting_values {
    const struct weights *weights; /* NULL: nothing is prepared */
    uint64_t supply, bag;          /* that they were prepared for, */
    uint64_t filled[GAME_PLAYERS_MAX];
    uint32_t colors[GAME_PLAYERS_MAX][GAME_STARS]; /* and the boards */
    struct drafting_seat seats[GAME_PLAYERS_MAX];
};

/*
 * Begins the draft that a game in phase 1 is in, or goes on with it: what was prepared for the same
 * boards, bag and supply is kept. set must outlive values, and may not change while these are
 * used: zero them when it does.
 */
void drafting_prepare(struct drafting_values *values, const struct weights_set *set,
                      const struct game *game);

/* All tiles on the displays and in the center. */
uint64_t drafting_table(const struct game *game);

/* Score and value of a seat in a position of that draft, or right after it. */
int32_t drafting_worth(const struct drafting_values *values, const struct game *game, int seat,
                       uint64_t table);

#endif
