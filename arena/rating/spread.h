/*
 * How far the ratings of a fit would scatter if its games were played again, told by
 * how much the groups of games differ from what the ratings expect. Games of one
 * group may share their luck; groups do not. Internal to fit.
 */
#ifndef ARENA_RATING_SPREAD_H
#define ARENA_RATING_SPREAD_H

#include "arena/rating/games.h"

/*
 * Writes the covariance of the ratings, bot_count x bot_count in square nats, at the
 * maximum theta with H's inverse there: the sandwich clustered by group. The set has
 * at least two groups. Returns 0 or -ENOMEM.
 */
int spread_covariance(const struct games *games, const double *theta, const double *inverse,
                      double *covariance);

#endif
