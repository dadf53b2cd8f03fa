/*
 * What a bot has learned: the weights of every feature of a seat's position. A set of them
 * serves one number of players and one side of the board. bots/training/ makes them.
 */
#ifndef BOTS_VALUE_WEIGHTS_H
#define BOTS_VALUE_WEIGHTS_H

#include <stddef.h>
#include <stdint.h>

#include "engine/state.h"

enum {
    VALUE_POINT = 65536, /* of a weight or value: one point */
};

/* After what a position stands: there are weights for each of them. */
enum value_kind {
    VALUE_DRAFT = 0, /* any seat's draft, or the deal of a round */
    VALUE_PLACE = 1, /* a placement or a choice of bonus tiles of the seat's own */
    VALUE_END = 2,   /* the seat's own pass */
    VALUE_KINDS = 3,
};

/*
 * The weights of one round and kind, by what they look at. Counts that exceed the last
 * index use it. "Tiles" are those in the hand; "wild" is the wild color of the round that
 * the tiles will be used in. A star has a sort: its number on the colored side; on the gray
 * side 0 empty, 1 one tile, 2 bound to a color, 3 bound to six different ones.
 */
struct weights {
    /* the board and what pays for it */
    int32_t star_mask[6][64][8];   /* outer star: sort, filled spaces, tiles that it takes (of a
                                      star of different colors: how many colors it takes) */
    int32_t star_wild[6][7][8][6]; /* star of one color: color, spaces filled, tiles, wild tiles */
    int32_t center_mask[4][64][8]; /* sort on the gray side (3 on the colored), rest as above */
    int32_t center_color[6][7][9]; /* of different colors: color, spaces filled, tiles; 8: used */
    int32_t mixed_color[6][7][9];  /* the same for each such outer star */
    int32_t pillar[6][16];         /* which of its spaces are filled */
    int32_t statue[6][16];         /* the same */
    int32_t cost[4][13];           /* spaces of cost 1 to 4 that are filled */
    /* the hand */
    int32_t hand[32];      /* tiles */
    int32_t wild[16];      /* tiles of the wild color */
    int32_t next_wild[16]; /* tiles of the next round's */
    /* what others see too */
    int32_t supply[6][6][7][4]; /* color: in the supply, spaces filled, tiles */
    int32_t bag[6][12][7];      /* color: pairs of tiles in the bag, spaces filled */
    int32_t bonus[4];           /* PLACE: bonus tiles to be taken now */
    int32_t start[2];           /* PLACE, END: 1 if the seat drafts first next round */
    /* DRAFT: what lies on the table */
    int32_t left[4][40];              /* seats until the turn, tiles left */
    int32_t token[4][8];              /* seats until the turn; seats until its holder, or, 4 more,
                                         until the start player while nobody holds it */
    int32_t table[6][7][7][8];        /* color: on the table, spaces filled, tiles */
    int32_t table_wanted[6][7][4][4]; /* color: on the table, stars of different colors that take
                                         it, tiles */
};

enum {
    WEIGHTS_COUNT = sizeof(struct weights) / sizeof(int32_t),
    WEIGHTS_TABLES = 19, /* the arrays above */
};

/* All weights of one number of players and side. */
struct weights_set {
    struct weights of[GAME_ROUNDS][VALUE_KINDS];
};

/* The arrays of struct weights in order, for who stores, trains or prints them. */
struct weights_table {
    const char *name;
    size_t first; /* index of its first weight */
    size_t count;
};

extern const struct weights_table weights_tables[WEIGHTS_TABLES];

#endif
