/*
 * The final list: ratings under which each bot's actual points equal its expected points, with a
 * weak prior, and their errors. They are the fixed point of live Elo. An error is the larger of two
 * estimates: from the scatter of the groups (clustered), and from the model for that many games.
 * The first includes what games of one group have in common, but is too small if there are few
 * games; the second has neither property. Source: docs/ratings.md.
 *
 * Ratings are relative to the mean of all bots that played, which is 0 Elo. All numbers of a fit
 * are finite for any games; flags mark those that the games alone do not determine.
 */
#ifndef ARENA_RATING_FIT_H
#define ARENA_RATING_FIT_H

#include <stdbool.h>
#include <stddef.h>

#include "arena/rating/games.h"

#define FIT_PRIOR_ELO  350.0 /* standard deviation of the usual prior */
#define FIT_PRIOR_NONE 0.0
#define FIT_PRIOR_MIN  1e-3 /* bounds of a prior, in Elo */
#define FIT_PRIOR_MAX  1e6
#define FIT_ERROR95    1.959963984540054 /* standard errors in a 95 % error ("+-") */

#define DECIDED_SD_ELO   50.0 /* standard deviation of the differences compared with equality */
#define DECIDED_EVIDENCE 2.9957322735539909 /* ln 20: odds of 20 to 1 against equality */
#define RESIDUAL_CHANCE  0.05 /* probability that any pair of honest bots exceeds the bound */

enum fit_limits {
    FIT_PROVISIONAL_TENTHS = 300, /* n_i below this makes a bot provisional, ... */
    FIT_PROVISIONAL_ELO = 100,    /* ... and so does a standard error above this */
};

enum fit_flag {
    FIT_UNBEATEN = 1 << 0, /* won every point: only the prior limits its rating */
    FIT_WINLESS = 1 << 1,  /* won no point: only the prior limits its rating */
    /* The same share of points in every table, so no scatter to estimate an error from. */
    FIT_UNVARIED = 1 << 2,
    FIT_UNCONNECTED = 1 << 3, /* some bots that played have no chain of games to others */
    FIT_PROVISIONAL = 1 << 4, /* few games or a large error: shown as "?" */
    FIT_UNPLAYED = 1 << 5,    /* no games */
};

/*
 * Which bots the games connect. A bot scored against another if it took a point or half a point off
 * it. A set in which every bot reaches every other in this way can be rated from its games alone.
 */
struct links {
    int set_count;    /* strongly connected components of "scored against" */
    int island_count; /* sets of bots connected by games, directly or through others */
    int *sets;        /* by bot: 0..set_count-1, in order of their first bots */
    int *islands;     /* by bot: 0..island_count-1, in order of their first bots */
};

struct fit_bot {
    double elo;
    double se_elo;           /* standard error of elo, against the mean: the larger of ... */
    double se_clustered_elo; /* ... the clustered error, 0 with fewer than two groups ... */
    double se_model_elo;     /* ... and the model's error */
    unsigned flags;          /* enum fit_flag bits */
    /* From 1; the ranks that are possible where LOS is not above 97.5 %. */
    int rank_best, rank_worst;
};

struct fit {
    int bot_count;
    double prior_elo;     /* the prior's standard deviation, or FIT_PRIOR_NONE */
    bool prior_replaced;  /* FIT_PRIOR_NONE was requested, but some bots would have no finite rating
                           */
    bool errors_modelled; /* fewer than two groups, so all errors are the model's */
    struct fit_bot *bots;
    /* bot_count x bot_count: of each difference; the larger of both estimates */
    double *pair_se_elo;
    struct links links;
};

/*
 * Fits a settled set of games. prior_elo is the prior's standard deviation in Elo
 * (FIT_PRIOR_MIN..FIT_PRIOR_MAX) or FIT_PRIOR_NONE. Returns 0, or -ENOMEM with nothing to free.
 * Free with fit_finish.
 */
int fit_init(struct fit *fit, const struct games *games, double prior_elo);

/* Frees what the fit holds. Accepts a zeroed fit. */
void fit_finish(struct fit *fit);

/* Returns the standard error of the difference of two ratings; 0 if a == b. */
double fit_pair_se(const struct fit *fit, int a, int b);

/* Returns the likelihood that a is better than b, 0..1; 1/2 if a == b. */
double fit_los(const struct fit *fit, int a, int b);

/* Returns "unbeaten", ...; a static string. */
const char *fit_flag_name(enum fit_flag flag);

/* Sorts all bot_count bots: best first, ties by bot number. */
void fit_order(const struct fit *fit, int *order);

/*
 * Decides whether the better of two neighbors on a list is known, even if the question is asked
 * after every game. A 95 % interval does not decide it: asked often enough, it errs at some time.
 * The mixture likelihood ratio compares equality with differences drawn from a normal distribution
 * with a standard deviation of 50 Elo; for two equal bots it reaches 20 in at most 5 % of seasons.
 * Returns the natural logarithm of this ratio for a rating difference and its standard error, both
 * in Elo; the sign of the difference does not matter. If the error is 0: +INFINITY for different
 * ratings, -INFINITY for equal ones.
 */
double decided_evidence(double difference_elo, double se_elo);

/* True if decided_evidence is at least DECIDED_EVIDENCE. */
bool decided_pair(double difference_elo, double se_elo);

/*
 * The difference between the points that two bots scored against each other and what their ratings
 * predict. If a pair is far off, they play differently against each other than against the rest:
 * because of style, or by agreement. A bound (Chernoff's) that holds for any number of games, and
 * jointly for all pairs that met, tells whether chance explains it.
 */
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
