/*
 * Estimates how much the ratings of a fit would scatter if its games were played again, from the
 * differences between the groups' results and the ratings' predictions. Games of one group may
 * share luck; groups are independent. Internal to fit.
 */
#ifndef ARENA_RATING_SPREAD_H
#define ARENA_RATING_SPREAD_H

#include "arena/rating/games.h"

/*
 * Writes the bot_count x bot_count covariance of the ratings in square nats, at the maximum theta
 * with the inverse of H there: the sandwich estimator clustered by group. The set must have at
 * least two groups. Returns 0 or -ENOMEM.
 */
int spread_covariance(const struct games *games, const double *theta, const double *inverse,
                      double *covariance);

#endif
