/*
 * Tests sequentially whether the new bot is better than the old one. Its unit is the group: both
 * seatings of one seed, so that luck common to both is not taken for strength. For two players.
 * Source: docs/ratings.md.
 */
#ifndef ARENA_RATING_SPRT_H
#define ARENA_RATING_SPRT_H

#include <stdint.h>

enum sprt_limits {
    SPRT_CELLS = 5,       /* results of NEW in a group: 0, 1/4, 1/2, 3/4 or all of its points */
    SPRT_GROUPS_MIN = 50, /* no verdict before this many */
    SPRT_ELO_MAX = 1000,  /* both hypotheses are within +- this */
};

enum sprt_verdict {
    SPRT_OPEN = 0,     /* continue; at a limit of games this is reported as inconclusive */
    SPRT_ACCEPTED = 1, /* elo1 is more likely than elo0 */
    SPRT_REJECTED = 2, /* elo0 is more likely than elo1 */
};

struct sprt {
    double elo0, elo1;          /* the two hypotheses */
    double lower, upper;        /* bounds of the log likelihood ratio */
    int64_t counts[SPRT_CELLS]; /* groups by NEW's result, from LL to WW */
};

struct sprt_state {
    enum sprt_verdict verdict;
    int64_t group_count;
    double llr;
    double elo;               /* NEW above OLD, estimated from the groups */
    double elo_low, elo_high; /* its 95 % interval */
};

/*
 * Creates an empty test. It accepts a bot that is no better than elo0 with probability alpha, and
 * rejects one that is better by elo1 with probability beta. Returns -EINVAL unless elo0 < elo1,
 * both are within SPRT_ELO_MAX, alpha and beta are above 0 and their sum is below 1.
 */
int sprt_init(struct sprt *sprt, double elo0, double elo1, double alpha, double beta);

/* Adds a group in which NEW took that many half points in its two games, 0..4. */
void sprt_add(struct sprt *sprt, int halves);

/* Returns the state of the test. All numbers are finite for any counts. */
struct sprt_state sprt_evaluate(const struct sprt *sprt);

/* Returns "open", "accepted", "rejected"; a static string. */
const char *sprt_verdict_name(enum sprt_verdict verdict);

#endif
