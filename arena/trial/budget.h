/*
 * Limits how long a bot may think during a check in total. A bot that uses its whole clock takes a
 * second per decision, and a check needs some five hundred decisions. Once a check would exceed the
 * limit, the remaining games get a shorter clock, which their hello states. Pure.
 */
#ifndef ARENA_TRIAL_BUDGET_H
#define ARENA_TRIAL_BUDGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sdk/wire.h"

enum budget_limits {
    BUDGET_THINKING_S = 120, /* for a check, unless set otherwise */
    BUDGET_QUICK_S = 5,      /* for a quick check */
    BUDGET_TURN_MS_MIN = 20, /* the shortest turn of a shortened clock */
};

struct budget {
    int64_t thinking_us;   /* total limit; 0: none */
    int64_t used_us;       /* by all decisions so far */
    size_t decision_count; /* number of decisions so far */
    int game_count;        /* whole games played so far */
    int games_left;        /* whole games still to be played */
};

/*
 * Returns the clock of the next game: the one asked for if the remaining games fit the limit at the
 * pace so far, else one without a bank whose turns divide what is left. Sets *shortened in the
 * second case.
 */
struct wire_clock budget_clock(const struct budget *budget, const struct wire_clock *asked,
                               bool *shortened);

#endif
