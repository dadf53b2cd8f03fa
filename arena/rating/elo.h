/*
 * Live Elo: the ladder while a season runs. A rating period is one group, groups
 * are taken in ascending order, and ratings are whole millionths of an Elo point,
 * so that their sum never changes and the list is the same bits in any order of
 * games. Source: docs/ratings.md.
 */
#ifndef ARENA_RATING_ELO_H
#define ARENA_RATING_ELO_H

#include <stdbool.h>
#include <stdint.h>

#include "arena/rating/games.h"

#define ELO_PER_NATURAL 173.71779276130073 /* 400 / ln 10: an Elo point is this part of a nat */

enum elo_limits {
    ELO_START_MICRO = 1500000000,
    ELO_NOBODY = -1,
};

/* One bot of the list. */
struct elo_bot {
    int64_t rating_micro;       /* millionths of an Elo point */
    int64_t information_tenths; /* n_i: what the K factor has seen of it */
    int64_t change_micro;       /* of the group being rated; 0 afterwards */
    int64_t change_tenths;      /* the same for information_tenths */
    int64_t last_change_micro;  /* by the last group it played */
    bool started;               /* has played */
};

/* The probability-like score of a bot whose rating is so much above the other's. */
double elo_expected(double difference_elo);

/*
 * K of a bot: max(k_min, 695 / (n_i + 17.375)), so 40 for a new one. k_min is in
 * Elo points; 0 while a bot's program does not change.
 */
double elo_k(int64_t information_tenths, double k_min);

/*
 * Rates a settled set of games and writes its bot_count rows. predecessors[i] is
 * the bot whose rating bot i takes over at the start of the first group it plays
 * (its older version), or ELO_NOBODY for the usual start; NULL is nobody for all. A
 * bot that has played no group shows its predecessor's rating. Predecessors must
 * not run in a circle.
 */
void elo_rate(const struct games *games, const int *predecessors, double k_min,
              struct elo_bot *bots);

/* A group was rated: the bots of its tables stand where it left them. */
typedef void elo_group_fn(void *context, const struct games_table *tables, size_t table_count,
                          const struct elo_bot *bots);

/* The same, and tells each group as it is rated, in order: the history of the list. */
void elo_rate_each(const struct games *games, const int *predecessors, double k_min,
                   struct elo_bot *bots, elo_group_fn *each_fn, void *context);

/* Writes the bots in the order of a list: best first, equal ones by number. */
void elo_order(const struct elo_bot *bots, int bot_count, int *order);

#endif
