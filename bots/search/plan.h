/*
 * Planning phase 2 for one seat: a beam over its own sequences of placements and bonus tiles,
 * each ended by its best pass. Nobody can take a space from another seat, so the others are
 * left out of it. Pure.
 */
#ifndef BOTS_SEARCH_PLAN_H
#define BOTS_SEARCH_PLAN_H

#include "bots/value/value.h"

enum {
    PLAN_WIDTH_MAX = 64,
};

struct plan {
    int32_t worth;       /* score and value at the end of the seat's round */
    struct action first; /* what it begins with */
};

/*
 * Plans for a seat of a game in phase 2, or about to enter it, that has not passed. bonus is
 * what it has to take at once. The supply is taken from as the plan goes on if is_depleted;
 * else it stays as it is, as if what is drawn were like what was there. width is at most
 * PLAN_WIDTH_MAX.
 */
struct plan plan_make(const struct weights_set *set, const struct game *game, int seat, int bonus,
                      int width, bool is_depleted);

#endif
