/*
 * Paying for a space: cost tiles, of which some are wild tiles in place of the color
 * named. At least one is of that color; the wild color itself is paid in its own tiles
 * only. rules.md section 5. Pure.
 */
#ifndef ENGINE_PAY_H
#define ENGINE_PAY_H

#include "engine/tiles.h"

/* How many wild tiles a payment may hold: least..most; no way to pay if least > most. */
struct pay_range {
    int least;
    int most;
};

static inline struct pay_range pay_range(uint64_t hand, int cost, int color, int wild)
{
    int own = tiles_of(hand, color);
    int wilds = tiles_of(hand, wild);
    struct pay_range range = {0, cost - 1};

    if (color == wild) {
        range.most = own >= cost ? 0 : -1;
        return range;
    }
    if (own < cost)
        range.least = cost - own;
    if (wilds < range.most)
        range.most = wilds;
    return range;
}

static inline bool pay_is_legal(uint64_t hand, int cost, int color, int wild, int wilds)
{
    struct pay_range range = pay_range(hand, cost, color, wild);

    return wilds >= range.least && wilds <= range.most;
}

#endif
