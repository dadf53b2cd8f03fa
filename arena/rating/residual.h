/*
 * The difference between the points that two bots scored against each other and what their ratings
 * predict. If a pair is far off, they play differently against each other than against the rest:
 * because of style, or by agreement. A bound (Chernoff's) that holds for any number of games, and
 * jointly for all pairs that met, tells whether chance explains it. Pure. Source: docs/ratings.md.
 */
#ifndef ARENA_RATING_RESIDUAL_H
#define ARENA_RATING_RESIDUAL_H

#include "arena/rating/fit.h"

#define RESIDUAL_CHANCE 0.05 /* probability that any pair of honest bots exceeds the bound */

struct residual {
    int64_t game_count; /* 0: they never met, and the other fields are 0 */
    double score;       /* of a against b, 0..1 */
    double expected;    /* from their ratings in the list, 0..1 */
    double evidence;    /* number of games times the relative entropy of the two, in nats */
};

/* Returns the residual of bots a and b in a fit of these games. */
struct residual residual_of(const struct games *games, const struct fit *fit, int a, int b);

/*
 * Returns the bound for the number of pairs that met: evidence > bound is not explained by chance.
 */
double residual_bound(const struct games *games);

#endif
