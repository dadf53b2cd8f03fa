/* SPDX-License-Identifier: MIT */
/*
 * Live Elo: the ladder during a season. A rating period is one group, and groups are rated in
 * ascending order. Ratings are integers in millionths of an Elo point: their sum never changes, and
 * the order in which games were added does not change a single bit of the result. Source:
 * docs/ratings.md.
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

/* A bot's row in the live list. */
struct elo_bot {
    int64_t rating_micro;       /* millionths of an Elo point */
    int64_t information_tenths; /* information that the bot's games have given (n_i of
                                   docs/ratings.md), in tenths; determines the K factor */
    int64_t change_micro;       /* rating change so far in the current group; 0 between groups */
    int64_t change_tenths;      /* change of information_tenths so far in the current group */
    int64_t last_change_micro;  /* rating change by the bot's last group */
    bool started;
};

/*
 * Returns the expected score, 0..1, of a bot whose rating is difference_elo above its opponent's.
 */
double elo_expected(double difference_elo);

/*
 * Returns the K factor of a bot: max(k_min, 695 / (n_i + 17.375)), which is 40 for a new bot. k_min
 * is in Elo points; it may be 0 if the programs of bots never change.
 */
double elo_k(int64_t information_tenths, double k_min);

/*
 * Called after each rated group, with the tables of the group and the resulting ratings of all
 * bots.
 */
typedef void elo_group_fn(void *context, const struct games_table *tables, size_t table_count,
                          const struct elo_bot *bots);

/*
 * Rates a settled set of games and writes bot_count rows to bots. predecessors[i] is the older
 * version whose rating bot i inherits at the start of the first group that bot i plays, or
 * ELO_NOBODY if bot i starts at ELO_START_MICRO; if predecessors is NULL, no bot has a predecessor.
 * A bot that has played no group gets its predecessor's rating. Predecessors must not form a cycle.
 * Calls each_fn, if not NULL, after each group in order, which gives the history of the list.
 */
void elo_rate(const struct games *games, const int *predecessors, double k_min,
              struct elo_bot *bots, elo_group_fn *each_fn, void *context);

/* Writes the bots' numbers to order: best first, ties by bot number. */
void elo_order(const struct elo_bot *bots, int bot_count, int *order);

#endif
