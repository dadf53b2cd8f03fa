/* SPDX-License-Identifier: MIT */
/*
 * The weights of every feature of a seat's position, learned by bots/training/. A set is for one
 * number of players and one side of the board.
 */
#ifndef SDK_STEADY_WEIGHTS_H
#define SDK_STEADY_WEIGHTS_H

#include <stddef.h>
#include <stdint.h>

#include "engine/state.h"

enum {
    VALUE_POINT = 65536, /* units per point, for weights and values */
};

/* The event that led to a position; each kind has its own weights. */
enum value_kind {
    VALUE_DRAFT = 0, /* a draft of any seat, or the deal of a round */
    VALUE_PLACE = 1, /* the seat's own placement or choice of bonus tiles */
    VALUE_END = 2,   /* the seat's own pass */
    VALUE_KINDS = 3,
};

/*
 * The weights of one round and kind, by feature. A count above the last index uses the last weight.
 * "Tiles" are tiles in the hand; "wild" is the wild color of the round in which the seat uses them.
 * Each star has a sort: on the colored side its number; on the gray side 0 empty, 1 one tile, 2
 * only one color, 3 six different colors.
 */
struct weights {
    /* Weights for the seat's board, and for the tiles in hand that can pay for its spaces. */
    int32_t star_mask[6][64][8];   /* outer star, by sort, filled spaces, and tiles in the hand that
                                      the star accepts (of a star of different colors: number of
                                      accepted colors in the hand) */
    int32_t star_wild[6][7][8][6]; /* star of one color, by color, number of filled spaces, tiles
                                      and wild tiles */
    int32_t center_mask[4][64][8]; /* center star, by sort (3 on the colored side), filled spaces,
                                      and tiles as for star_mask */
    int32_t center_color[6][7][9]; /* center star of different colors, by color, number of filled
                                      spaces, and tiles (8: the star has the color) */
    /* Each outer star of different colors, with the indexes of center_color. */
    int32_t mixed_color[6][7][9];
    int32_t pillar[6][16]; /* by pillar, and by the filled spaces around it */
    int32_t statue[6][16]; /* by statue, and by the filled spaces around it */
    int32_t cost[4][13];   /* by cost from 1 to 4, and by number of filled spaces of that cost */
    /* the hand */
    int32_t hand[32];      /* tiles */
    int32_t wild[16];      /* tiles of the wild color */
    int32_t next_wild[16]; /* by number of tiles of the next round's wild color */
    /* public information */
    int32_t supply[6][6][7][4]; /* by color, number of its tiles in the supply, filled spaces, tiles
                                   in the hand */
    int32_t bag[6][12][7]; /* by color, pairs of its tiles in the bag, filled spaces of its star */
    int32_t bonus[4];      /* VALUE_PLACE: by number of bonus tiles that the seat takes next */
    int32_t start[2]; /* VALUE_PLACE, VALUE_END: [1] if the seat drafts first in the next round */
    /* Weights for the tiles on the displays and in the center; only for VALUE_DRAFT. */
    int32_t left[4]
                [40]; /* by number of seats that act before this seat, and of tiles left to draft */
    /*
     * First index: number of seats that act before this seat. Second index: number of seats that
     * act before the token's holder; if nobody holds the token, 4 plus that number for the start
     * player.
     */
    int32_t token[4][8];
    int32_t table[6][7][7][8]; /* by color, number of its tiles on the table, filled spaces, tiles
                                  in the hand */
    int32_t table_wanted[6][7][4][4]; /* by color, number of its tiles on the table, stars of
                                         different colors that accept it, tiles in the hand */
    /*
     * What the next draft can take. First index: 0 if the seat drafts next, else 1; then by color,
     * largest number of its tiles in one source, filled spaces, tiles in the hand.
     */
    int32_t group[2][6][6][7][8];
};

enum {
    WEIGHTS_COUNT = sizeof(struct weights) / sizeof(int32_t),
};

/* All weights for one number of players and one side. */
struct weights_set {
    struct weights of[GAME_ROUNDS][VALUE_KINDS];
};

#endif
