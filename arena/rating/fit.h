/* SPDX-License-Identifier: MIT */
/*
 * The final list: ratings under which each bot's actual points equal its expected points, with a
 * weak prior, and the errors of these ratings. The ratings are the fixed point of live Elo. An
 * error is the larger of two estimates: a clustered one, from the scatter of the groups, which
 * includes what games of one group have in common, but is too small if there are few games; and one
 * from the model, which has neither property. Ratings are relative to the mean of all bots that
 * played, which is 0 Elo. All numbers of a fit are finite for any games; flags mark bots whose
 * numbers depend on the prior. Source: docs/ratings.md.
 */
#ifndef ARENA_RATING_FIT_H
#define ARENA_RATING_FIT_H

#include <stdbool.h>
#include <stddef.h>

#include "arena/rating/games.h"

#define FIT_PRIOR_ELO  350.0 /* standard deviation of the usual prior, in Elo */
#define FIT_PRIOR_NONE 0.0
#define FIT_PRIOR_MIN  1e-3 /* smallest and largest standard deviation of the prior, in Elo */
#define FIT_PRIOR_MAX  1e6
#define FIT_ERROR95    1.959963984540054 /* number of standard errors in a 95 % error ("+-") */

/* Standard deviation of the rating differences that decided_evidence expects of unequal bots. */
#define DECIDED_SD_ELO   50.0
#define DECIDED_EVIDENCE 2.9957322735539909 /* ln 20: odds of 20 to 1 against equality */
/* Probability that chance alone gives any pair of bots more evidence than residual_bound. */
#define RESIDUAL_CHANCE 0.05

enum fit_limits {
    FIT_PROVISIONAL_TENTHS = 300, /* a bot whose games gave less information is provisional */
    FIT_PROVISIONAL_ELO = 100,    /* a bot with a larger standard error is provisional */
};

enum fit_flag {
    FIT_UNBEATEN = 1 << 0, /* the bot won every point: only the prior limits its rating */
    FIT_WINLESS = 1 << 1,  /* the bot won no point: only the prior limits its rating */
    /*
     * The bot has the same share of the points in every table, so that their scatter gives no
     * error.
     */
    FIT_UNVARIED = 1 << 2,
    FIT_UNCONNECTED = 1 << 3, /* no chain of games leads from some bots to the others */
    FIT_PROVISIONAL = 1 << 4, /* the bot has few games or a large error; shown as "?" */
    FIT_UNPLAYED = 1 << 5,    /* the bot has no games */
};

/*
 * Which bots the games connect. A bot scored against another bot if it took a point or half a point
 * from it. If such results lead from every bot to every other bot, directly or through others, the
 * games alone determine all ratings.
 */
struct links {
    int set_count;    /* number of strongly connected components of "scored against" */
    int island_count; /* number of sets of bots that games connect, directly or through others */
    int *sets;    /* number of each bot's component, 0..set_count-1; components are ordered by their
                     first bots */
    int *islands; /* number of each bot's island, 0..island_count-1; islands are ordered by their
                     first bots */
};

struct fit_bot {
    double elo;
    double se_elo; /* standard error of `elo` against the mean: the larger of the next two */
    double se_clustered_elo; /* clustered standard error; 0 if the bot has fewer than two groups */
    double se_model_elo;     /* standard error from the model */
    unsigned flags;          /* enum fit_flag bits */
    /*
     * The ranks that the bot may have, from 1; the order of two bots is certain if its likelihood
     * is above 97.5 %.
     */
    int rank_best, rank_worst;
};

struct fit {
    int bot_count;
    double prior_elo;     /* standard deviation of the prior, or FIT_PRIOR_NONE */
    bool prior_replaced;  /* the caller wanted no prior, but without one some bots would have no
                             finite rating */
    bool errors_modelled; /* the set has fewer than two groups: all errors come from the model */
    struct fit_bot *bots;
    /*
     * bot_count x bot_count: standard error of each rating difference, the larger of the clustered
     * and the model's estimate
     */
    double *pair_se_elo;
    struct links links;
};

/*
 * Fits a settled set of games. prior_elo is the standard deviation of the prior in Elo
 * (FIT_PRIOR_MIN..FIT_PRIOR_MAX) or FIT_PRIOR_NONE. Returns 0, or -ENOMEM with nothing to free. The
 * caller frees the fit with fit_finish.
 */
int fit_init(struct fit *fit, const struct games *games, double prior_elo);

/* Frees all memory of the fit. Accepts a zeroed fit. */
void fit_finish(struct fit *fit);

/* Returns the standard error of the difference of two ratings; 0 if a == b. */
double fit_pair_se(const struct fit *fit, int a, int b);

/* Returns the likelihood that a is better than b, 0..1; 1/2 if a == b. */
double fit_los(const struct fit *fit, int a, int b);

/* Returns the name of a flag, such as "unbeaten": a static string. */
const char *fit_flag_name(enum fit_flag flag);

/* Writes the numbers of all bot_count bots to order: best first, ties by bot number. */
void fit_order(const struct fit *fit, int *order);

/*
 * Tells whether the games decide which of two neighbors on a list is better, even if somebody asks
 * after every game. A 95 % interval cannot tell this: asked often enough, it is wrong at some time.
 * A mixture likelihood ratio can: it compares equality with rating differences drawn from a normal
 * distribution with a standard deviation of 50 Elo, and for two equal bots it reaches 20 in at most
 * 5 % of seasons. Returns the natural logarithm of the ratio, for a rating difference and its
 * standard error, both in Elo; the sign of the difference does not matter. If the error is 0:
 * +INFINITY for different ratings, -INFINITY for equal ratings.
 */
double decided_evidence(double difference_elo, double se_elo);

/* True if decided_evidence is at least DECIDED_EVIDENCE. */
bool decided_pair(double difference_elo, double se_elo);

/*
 * The difference between the points that two bots scored against each other and the points that
 * their ratings predict. A large difference means that the two play differently against each other
 * than against other bots, because of style or by agreement. A Chernoff bound, which holds for any
 * number of games and jointly for all pairs that met, tells whether chance explains the difference.
 */
struct residual {
    int64_t game_count; /* number of games between the two bots; if 0, the other fields are 0 */
    double score;       /* score of a against b, 0..1 */
    double expected;    /* score of a against b that the ratings predict, 0..1 */
    double evidence;    /* game_count times the relative entropy of score and expected, in nats */
};

/*
 * Compares the points that bots a and b scored against each other with the points that their
 * ratings in the fit predict.
 */
struct residual residual_of(const struct games *games, const struct fit *fit, int a, int b);

/*
 * Returns the bound of evidence for all pairs that met: with more evidence than the bound, chance
 * does not explain a residual.
 */
double residual_bound(const struct games *games);

#endif
