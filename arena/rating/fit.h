/*
 * The final list: ratings under which everybody's actual points equal the expected
 * ones, with a weak prior, and errors. The fixed point of live Elo. An error is the larger
 * of two: what the scatter of the groups shows (clustered), and what the model expects
 * of so many games. The first knows what games of a group have in common, and collapses
 * where games are few; the second does neither. Source: docs/ratings.md.
 *
 * Bots are rated against the mean of all that played, which stands at 0 Elo. Every
 * number of a fit is finite whatever the games are; where the games alone do not
 * tell, a flag says so.
 */
#ifndef ARENA_RATING_FIT_H
#define ARENA_RATING_FIT_H

#include <stdbool.h>
#include <stddef.h>

#include "arena/rating/games.h"
#include "arena/rating/links.h"

#define FIT_PRIOR_ELO  350.0 /* standard deviation of the usual prior */
#define FIT_PRIOR_NONE 0.0
#define FIT_PRIOR_MIN  1e-3 /* what a prior may be, in Elo, if there is one */
#define FIT_PRIOR_MAX  1e6
#define FIT_ERROR95    1.959963984540054 /* "+-": this many standard errors */

enum fit_limits {
    FIT_PROVISIONAL_TENTHS = 300, /* n_i below this is provisional, and so is ... */
    FIT_PROVISIONAL_ELO = 100,    /* ... a standard error above this */
};

enum fit_flag {
    FIT_UNBEATEN = 1 << 0,    /* took every point: its rating rests on the prior */
    FIT_WINLESS = 1 << 1,     /* took none: likewise */
    FIT_UNVARIED = 1 << 2,    /* always the same share of points: nothing scatters */
    FIT_UNCONNECTED = 1 << 3, /* some that played are not compared with others, over any */
    FIT_PROVISIONAL = 1 << 4, /* few games or a large error: "?" */
    FIT_UNPLAYED = 1 << 5,    /* no game */
};

struct fit_bot {
    double elo;
    double se_elo;             /* own standard error, against the mean: the larger of */
    double se_clustered_elo;   /* ... that of the groups, 0 if there are fewer than two */
    double se_model_elo;       /* ... and that of the model */
    unsigned flags;            /* of enum fit_flag */
    int rank_best, rank_worst; /* from 1; what LOS beyond 97.5 % leaves open */
};

struct fit {
    int bot_count;
    double prior_elo;     /* the prior's standard deviation, or FIT_PRIOR_NONE */
    bool prior_replaced;  /* none was wanted, but some bots have no finite rating then */
    bool errors_modelled; /* fewer than two groups: all errors are the model's own */
    int step_count;
    struct fit_bot *bots;
    double *pair_se_elo; /* bot_count x bot_count: of a difference; the larger of both kinds */
    struct links links;
};

/*
 * Fits a settled set of games, with a prior of that standard deviation in Elo
 * (FIT_PRIOR_MIN..FIT_PRIOR_MAX) or FIT_PRIOR_NONE. Returns 0 or -ENOMEM, with
 * nothing to free then. Free with fit_finish.
 */
int fit_init(struct fit *fit, const struct games *games, double prior_elo);

/* Frees what the fit holds. A zeroed one is fine. */
void fit_finish(struct fit *fit);

/* The standard error of the difference of two bots' ratings; 0 for a bot and itself. */
double fit_pair_se(const struct fit *fit, int a, int b);

/* The likelihood that a is better than b, 0..1; 1/2 for a bot and itself. */
double fit_los(const struct fit *fit, int a, int b);

/* "unbeaten", ...; a static string. */
const char *fit_flag_name(enum fit_flag flag);

/*
 * Writes the bots in the order of a list: best first, equal ones by number. Orders
 * all bot_count of them.
 */
void fit_order(const struct fit *fit, int *order);

#endif
