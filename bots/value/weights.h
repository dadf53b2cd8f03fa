/*
 * The weights of every feature of a seat's position, learned by bots/training/. A set is for one
 * number of players and one side of the board.
 */
#ifndef BOTS_VALUE_WEIGHTS_H
#define BOTS_VALUE_WEIGHTS_H

#include <stddef.h>
#include <stdint.h>

#include "engine/state.h"

enum {
    VALUE_POINT = 65536, /* units per point, for weights and values */
};

/* The event before a position; each kind has its own weights. */
enum value_kind {
    VALUE_DRAFT = 0, /* any seat's draft, or the deal of a round */
    VALUE_PLACE = 1, /* the seat's own placement or choice of bonus tiles */
    VALUE_END = 2,   /* the seat's own pass */
    VALUE_KINDS = 3,
};

/*
 * The weights of one round and kind, by feature. A count above the last index uses the last weight.
 * "Tiles" are those in the hand; "wild" is the wild color of the round in which the tiles will be
 * used. Each star has a sort: on the colored side its number; on the gray side 0 empty, 1 one tile,
 * 2 bound to one color, 3 bound to six different ones.
 */
struct weights {
    /* the board, and the tiles that can pay for it */
    int32_t star_mask[6][64][8]; /* outer star: sort, filled spaces, tiles it accepts (for a star of
                                    different colors: number of colors it accepts) */
    int32_t star_wild[6][7][8][6]; /* star of one color: color, spaces filled, tiles, wild tiles */
    int32_t center_mask[4][64][8]; /* sort on the gray side (3 on the colored), the rest as above */
    int32_t center_color[6][7][9]; /* center of different colors: color, spaces filled, tiles; 8:
                                      color already used */
    /* The same as center_color for each outer star of different colors */
    int32_t mixed_color[6][7][9];
    int32_t pillar[6][16]; /* which of its spaces are filled */
    int32_t statue[6][16]; /* which of its spaces are filled */
    int32_t cost[4][13];   /* spaces of cost 1 to 4 that are filled */
    /* the hand */
    int32_t hand[32];      /* tiles */
    int32_t wild[16];      /* tiles of the wild color */
    int32_t next_wild[16]; /* tiles of the next round's */
    /* public information */
    int32_t supply[6][6][7][4]; /* by color: in the supply, spaces filled, tiles */
    int32_t bag[6][12][7];      /* by color: pairs of tiles in the bag, spaces filled */
    int32_t bonus[4];           /* PLACE: bonus tiles to take now */
    int32_t start[2];           /* PLACE, END: 1 if the seat drafts first next round */
    /* DRAFT: the tiles on the table. */
    int32_t left[4][40]; /* number of seats before this seat's turn, tiles left */
    int32_t token[4][8]; /* seats before this seat's turn; seats before its holder's or, plus 4,
                            while nobody holds it, the start player's */
    int32_t table[6][7][7][8];        /* by color: on the table, spaces filled, tiles */
    int32_t table_wanted[6][7][4][4]; /* by color: on the table, stars of different colors that
                                         accept it, tiles */
};

enum {
    WEIGHTS_COUNT = sizeof(struct weights) / sizeof(int32_t),
};

/* All weights for one number of players and one side. */
struct weights_set {
    struct weights of[GAME_ROUNDS][VALUE_KINDS];
};

#endif
