/*
 * Where the points of a set of games are likeliest: the maximum that a fit stands on.
 * Ratings are in nats here (ELO_PER_NATURAL each), their mean is 0. Internal to fit.
 */
#ifndef ARENA_RATING_CLIMB_H
#define ARENA_RATING_CLIMB_H

#include "arena/rating/games.h"

enum climb_limits {
    CLIMB_STEPS_MAX = 200, /* it takes 4 to 8 */
};

/*
 * Writes the ratings, bot_count of them, and the inverse of the curvature H there,
 * bot_count x bot_count. precision is 1 / tau^2 of the prior in nats, or 0 for none:
 * then every bot must have a finite rating. Returns the steps taken or -ENOMEM.
 */
int climb_likelihood(const struct games *games, double precision, double *theta, double *inverse);

#endif
