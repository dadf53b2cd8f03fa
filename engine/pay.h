/*
 * Paying for a space: as many tiles as it costs, of the named color or wild. At least one has the
 * named color; the wild color itself is paid with its own tiles only. rules.md section 5. Pure.
 */
#ifndef ENGINE_PAY_H
#define ENGINE_PAY_H

#include <string.h>

#include "engine/tiles.h"

/*
 * All ways to pay from a hand: bit w of a byte is set if payment with w wild tiles is possible.
 * outer and center have a word per position with a byte per color; of_color has a word per color
 * with a byte per position of an outer star.
 */
struct pay {
    uint64_t outer[GAME_SPACES];
    uint64_t center[GAME_SPACES];
    uint64_t of_color[GAME_COLORS];
};

/* Transposes a matrix of bytes: byte i of word j becomes byte j of word i. */
static inline void pay_transpose(const uint64_t rows[static 6], uint64_t columns[static 6])
{
    typedef uint8_t bytes __attribute__((vector_size(16)));
    typedef uint64_t words __attribute__((vector_size(16)));
#define LOW_BYTES(a, b)                                                                            \
    __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23)
#define PAIRS(a, b, from)                                                                          \
    __builtin_shufflevector(a, b, from, from + 1, from + 16, from + 17, from + 2, from + 3,        \
                            from + 18, from + 19, from + 4, from + 5, from + 20, from + 21,        \
                            from + 6, from + 7, from + 22, from + 23)
#define FOURS(a, b, from)                                                                          \
    __builtin_shufflevector(a, b, from, from + 1, from + 2, from + 3, from + 16, from + 17,        \
                            from + 18, from + 19, from + 4, from + 5, from + 6, from + 7,          \
                            from + 20, from + 21, from + 22, from + 23)
    bytes row[6], none = {0};
    bytes first, second, third;

    for (int i = 0; i < 6; i++)
        row[i] = (bytes)(words){rows[i], 0};
    first = LOW_BYTES(row[0], row[1]);
    second = LOW_BYTES(row[2], row[3]);
    third = LOW_BYTES(row[4], row[5]);
    row[0] = FOURS(PAIRS(first, second, 0), PAIRS(third, none, 0), 0);
    row[1] = FOURS(PAIRS(first, second, 0), PAIRS(third, none, 0), 8);
    row[2] = FOURS(PAIRS(first, second, 8), PAIRS(third, none, 8), 0);
    memcpy(columns, row, 6 * sizeof *columns);
#undef LOW_BYTES
#undef PAIRS
#undef FOURS
}

/*
 * Computes all ways to pay each cost from 1 on. For example, the byte of green with 2 green tiles
 * and 1 wild tile in the hand: cost 1 is 0b001 (1 green), cost 2 is 0b011 (2 green, or 1 green and
 * 1 wild), cost 3 is 0b010 (2 green and 1 wild), cost 4 is 0: it cannot be paid.
 */
static inline void pay_list_ways(uint64_t ways_of_cost[static GAME_SPACES], uint64_t hand, int wild)
{
    int wilds = tiles_of(hand, wild);
    uint64_t payable = (UINT64_C(2) << (wilds < GAME_SPACES ? wilds : GAME_SPACES)) - 1;
    uint64_t ways = 0;

    payable *= TILES_EACH;
    /* The wild color is paid with its own tiles only. */
    payable ^= tiles_only(payable, wild) ^ tiles_one(wild);
    for (int cost = 1; cost <= GAME_SPACES; cost++) {
        /*
         * Each payment gets one more wild tile; a payment without any is added if the color's own
         * tiles suffice.
         */
        uint64_t suffices = (hand + (uint64_t)(128 - cost) * TILES_EACH) >> 7 & TILES_EACH;

        ways = ways << 1 | suffices;
        ways_of_cost[cost - 1] = ways & payable;
    }
}

static inline void pay_init(struct pay *pay, uint64_t hand, int wild, enum board_side side)
{
    pay_list_ways(pay->outer, hand, wild);
    if (side == BOARD_COLORED) {
        memcpy(pay->center, pay->outer, sizeof pay->center);
    } else {
        /* Outer stars cost 3 2 1 4 5 6, the center star 3 everywhere. */
        for (int position = 0; position < GAME_SPACES; position++)
            pay->center[position] = pay->outer[2];
        pay->outer[2] = pay->outer[0];
        pay->outer[0] = pay->center[0];
    }
    pay_transpose(pay->outer, pay->of_color);
}

#endif
