/*
 * What two bots took off each other against what the list expects of them. A pair that is
 * far off plays otherwise among themselves than against the rest: by style, or by
 * agreement. Whether chance explains it is a bound that holds for any number of games
 * (Chernoff's), over all pairs that met together. Pure. Source: docs/ratings.md.
 */
#ifndef ARENA_RATING_RESIDUAL_H
#define ARENA_RATING_RESIDUAL_H

#include "arena/rating/fit.h"

#define RESIDUAL_CHANCE 0.05 /* that any pair of honest bots is beyond the bound */

struct residual {
    int64_t game_count; /* 0: they never met, and the rest is 0 */
    double score;       /* of a against b, 0..1 */
    double expected;    /* by their ratings in the list, 0..1 */
    double evidence;    /* games times the relative entropy of the two, in nats */
};

/* Of bots a and b of a fit of these games. */
struct residual residual_of(const struct games *games, const struct fit *fit, int a, int b);

/* The evidence that chance does not explain, for so many pairs that met: compare with >. */
double residual_bound(const struct games *games);

#endif
