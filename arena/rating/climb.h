/*
 * Finds the maximum likelihood of a set of games, on which a fit is based. Ratings are in nats here
 * (ELO_PER_NATURAL Elo each), with mean 0. Internal to fit.
 */
#ifndef ARENA_RATING_CLIMB_H
#define ARENA_RATING_CLIMB_H

#include "arena/rating/games.h"

enum climb_limits {
    CLIMB_STEPS_MAX = 200, /* usually 4 to 8 are needed */
};

/*
 * Writes bot_count ratings, and the bot_count x bot_count inverse of the curvature H at the
 * maximum. precision is 1 / tau^2 of the prior in nats, or 0 for no prior: every bot must then have
 * a finite rating. Returns the number of steps or -ENOMEM.
 */
int climb_likelihood(const struct games *games, double precision, double *theta, double *inverse);

#endif
