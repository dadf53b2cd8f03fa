/*
 * Is the new bot better than the old one? A sequential test whose unit is the group:
 * both seatings of one seed, so that luck both had is not taken for strength. Played
 * with two players. Source: docs/ratings.md.
 */
#ifndef ARENA_RATING_SPRT_H
#define ARENA_RATING_SPRT_H

#include <stdint.h>

enum sprt_limits {
    SPRT_CELLS = 5,       /* what NEW takes of a group: 0, 1/4, 1/2, 3/4, 1 of its points */
    SPRT_GROUPS_MIN = 50, /* no verdict before */
    SPRT_ELO_MAX = 1000,  /* either hypothesis lies within +- this */
};

enum sprt_verdict {
    SPRT_OPEN = 0,     /* play on; at a cap this is called inconclusive */
    SPRT_ACCEPTED = 1, /* NEW is better by elo1 rather than by elo0 */
    SPRT_REJECTED = 2, /* by elo0 rather than by elo1 */
};

struct sprt {
    double elo0, elo1;          /* the two hypotheses */
    double lower, upper;        /* bounds of the log likelihood ratio */
    int64_t counts[SPRT_CELLS]; /* groups by what NEW took, from LL to WW */
};

struct sprt_state {
    enum sprt_verdict verdict;
    int64_t group_count;
    double llr;
    double elo;               /* NEW over OLD, as the groups have it */
    double elo_low, elo_high; /* its 95 % interval */
};

/*
 * An empty test: accepts a bot no better than elo0 with probability alpha, rejects
 * one better by elo1 with beta. Returns -EINVAL unless elo0 < elo1 lie within
 * SPRT_ELO_MAX, alpha and beta are above 0 and both together below 1.
 */
int sprt_init(struct sprt *sprt, double elo0, double elo1, double alpha, double beta);

/* Counts a group in which NEW took so many halves of a point of its two games, 0..4. */
void sprt_add(struct sprt *sprt, int halves);

/* Where the test stands. All numbers are finite, whatever was counted. */
struct sprt_state sprt_evaluate(const struct sprt *sprt);

/* "open", "accepted", "rejected"; a static string. */
const char *sprt_verdict_name(enum sprt_verdict verdict);

#endif
