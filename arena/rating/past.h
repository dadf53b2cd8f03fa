/* SPDX-License-Identifier: MIT */
/*
 * The final list as it was earlier: the ratings of fit.h, without errors, from the games up to some
 * groups. A season's history needs many such lists; each starts from the list before and works on
 * the pairs that met, so that all of them together cost less than one fit with its errors. Pure,
 * except that it allocates memory.
 */
#ifndef ARENA_RATING_PAST_H
#define ARENA_RATING_PAST_H

#include "arena/rating/fit.h"

/*
 * Receives list number `at`: the Elo of each bot against the mean of all bots, which is 0, exact to
 * a tenth, and whether it had played. Bots that had not played are at 0.
 */
typedef int past_fn(void *context, int at, const double *elo, const bool *played);

/*
 * Rates a settled set of games with the usual prior (FIT_PRIOR_ELO), once for each of `groups`,
 * which ascend: with the games of all groups up to that one. Calls each_fn for each list in order.
 * Returns the first value of each_fn that is not 0, which ends the calls; else 0 or -ENOMEM.
 */
int past_rate(const struct games *games, const int64_t *groups, int count, past_fn *each_fn,
              void *context);

#endif
