/* SPDX-License-Identifier: MIT */
/*
 * Tests, while games are played, whether a new bot (NEW) is better than an old one (OLD). The test
 * counts groups: two games with one seed and exchanged seats, so that luck that both share does not
 * count as strength. For two players. Source: docs/ratings.md.
 */
#ifndef ARENA_RATING_SPRT_H
#define ARENA_RATING_SPRT_H

#include <stdint.h>

enum sprt_limits {
    SPRT_CELLS = 5, /* possible results of NEW in a group: 0, 1/4, 1/2, 3/4 or all of the points */
    SPRT_GROUPS_MIN = 50, /* minimum number of groups for a verdict */
    SPRT_ELO_MAX = 1000,  /* largest absolute value of elo0 and elo1 */
};

enum sprt_verdict {
    /* No verdict yet: play on. After the last game, the caller reports an inconclusive test. */
    SPRT_OPEN = 0,
    SPRT_ACCEPTED = 1, /* NEW is accepted: elo1 is more likely than elo0 */
    SPRT_REJECTED = 2, /* NEW is rejected: elo0 is more likely than elo1 */
};

struct sprt {
    double elo0, elo1;          /* the two hypotheses: NEW is better than OLD by elo0, or by elo1 */
    double lower, upper;        /* log likelihood ratios at which the test rejects or accepts NEW */
    int64_t counts[SPRT_CELLS]; /* number of groups by NEW's result, from LL (two losses) to WW (two
                                   wins) */
};

struct sprt_state {
    enum sprt_verdict verdict;
    int64_t group_count;
    double llr;
    double elo;               /* rating of NEW above OLD, estimated from the groups */
    double elo_low, elo_high; /* 95 % interval of elo */
};

/*
 * Creates an empty test. A NEW that is no better than elo0 is accepted with probability alpha; a
 * NEW that is better by elo1 is rejected with probability beta. Returns 0, or -EINVAL unless elo0 <
 * elo1, both are within SPRT_ELO_MAX, alpha and beta are above 0 and their sum is below 1.
 */
int sprt_init(struct sprt *sprt, double elo0, double elo1, double alpha, double beta);

/* Adds a group in whose two games NEW took `halves` half points, 0..4. */
void sprt_add(struct sprt *sprt, int halves);

/* Returns the state of the test. All numbers are finite for any counts. */
struct sprt_state sprt_evaluate(const struct sprt *sprt);

/* Returns the name of a verdict, such as "open" or "accepted": a static string. */
const char *sprt_verdict_name(enum sprt_verdict verdict);

#endif
