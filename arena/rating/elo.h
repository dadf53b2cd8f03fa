/*
 * Live Elo: the ladder during a season. A rating period is one group. Groups are rated in ascending
 * order, and ratings are integers in millionths of an Elo point, so that their sum never changes
 * and the result is bit-identical for any order of games. Source: docs/ratings.md.
 */
#ifndef ARENA_RATING_ELO_H
#define ARENA_RATING_ELO_H

#include <stdbool.h>
#include <stdint.h>

#include "arena/rating/games.h"

#define ELO_PER_NATURAL 173.71779276130073 /* 400 / ln 10: Elo points per nat */

enum elo_limits {
    ELO_START_MICRO = 1500000000,
    ELO_NOBODY = -1,
};

/* One bot of the list. */
struct elo_bot {
    int64_t rating_micro;       /* millionths of an Elo point */
    int64_t information_tenths; /* n_i: accumulated information, which determines K */
    int64_t change_micro;       /* in the group being rated; 0 otherwise */
    int64_t change_tenths;      /* change of information_tenths in that group */
    int64_t last_change_micro;  /* by the last group that it played */
    bool started;               /* has played a group */
};

/* Returns the expected score of a bot whose rating is difference_elo above its opponent's. */
double elo_expected(double difference_elo);

/*
 * Returns K of a bot: max(k_min, 695 / (n_i + 17.375)), so 40 for a new bot. k_min is in Elo
 * points; 0 as long as a bot's program cannot change.
 */
double elo_k(int64_t information_tenths, double k_min);

/* Called after each rated group, with its tables and the resulting ratings. */
typedef void elo_group_fn(void *context, const struct games_table *tables, size_t table_count,
                          const struct elo_bot *bots);

/*
 * Rates a settled set of games and writes bot_count rows. predecessors[i] is the older version
 * whose rating bot i inherits at the start of the first group it plays, or ELO_NOBODY for the usual
 * start; NULL: no bot has a predecessor. A bot that has played no group gets its predecessor's
 * rating. Predecessors must not form a cycle. each_fn, unless it is NULL, is called for each group
 * in order: the history of the list.
 */
void elo_rate(const struct games *games, const int *predecessors, double k_min,
              struct elo_bot *bots, elo_group_fn *each_fn, void *context);

/* Sorts the bots: best first, ties by bot number. */
void elo_order(const struct elo_bot *bots, int bot_count, int *order);

#endif
