/*
 * How long a check lets a bot think in all. A bot that uses its clock well takes a second a
 * decision, and a check asks for some five hundred: once it is seen that this would be too much,
 * the games that follow have a shorter clock, as the bot is told in their hello. Pure.
 */
#ifndef ARENA_TRIAL_BUDGET_H
#define ARENA_TRIAL_BUDGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sdk/wire.h"

enum budget_limits {
    BUDGET_THINKING_S = 120, /* of a check, unless another is asked for */
    BUDGET_QUICK_S = 5,      /* of a quick one */
    BUDGET_TURN_MS_MIN = 20, /* no clock is made shorter */
};

struct budget {
    int64_t thinking_us;   /* in all; 0: no bound */
    int64_t used_us;       /* by decisions so far */
    size_t decision_count; /* so far */
    int game_count;        /* whole games so far */
    int games_left;        /* whole games to come */
};

/*
 * The clock of the next game: the one asked for if as many games at the pace so far fit in, else
 * one without a bank whose turns share out what is left. Sets *shortened if it is not the one
 * asked for.
 */
struct wire_clock budget_clock(const struct budget *budget, const struct wire_clock *asked,
                               bool *shortened);

#endif
