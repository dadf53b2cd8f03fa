/* SPDX-License-Identifier: MIT */
/*
 * Finds sick machines: workers on which bots forfeit much more often than the same bots elsewhere;
 * and sick times of a season, whose parts take the place of workers (season_watch). Counts the
 * games of a season since it was loaded. Pure: no store, no clock.
 *
 * One author proves nothing: a bot may be weak against the bots that it happened to meet there, and
 * the bots of one author may forfeit on purpose. The comparison leaves out the author whose bots
 * speak most against the worker. Where the bots have played nowhere else, a worker is sick on which
 * game after game has a forfeit, of every bot, and of most authors. If one author has all bots,
 * each stands for itself.
 */
#ifndef ARENA_SEASON_BREAKER_H
#define ARENA_SEASON_BREAKER_H

#include "arena/season/schedule.h"
#include "arena/store/games.h"

enum breaker_limits {
    BREAKER_WORKERS_MAX = 1024, /* of more workers, the one that came first is forgotten */
    BREAKER_WORDS_BYTES = 256,
};

/* What the parts are that are compared. */
enum breaker_parts {
    BREAKER_MACHINES = 0,
    BREAKER_TIMES = 1, /* a part is sick only if bots of most authors forfeit in it */
};

/* How much more often something happened than expected, and the variance of that. */
struct excess {
    double sum, variance;
};

/*
 * Compares `bad` of `count` cases with those elsewhere, whose rate has half a case added to good
 * and to bad cases. others_count is not 0. The variance includes the error of that rate.
 */
struct excess excess_of(int64_t count, int64_t bad, int64_t others_count, int64_t others_bad);

struct breaker_seats {
    int32_t count, forfeit_count;
};

struct breaker_worker {
    int64_t id;
    struct breaker_seats seats[SCHEDULE_ENTRIES_MAX]; /* by the bot's number in the season */
    int lost_count;                                   /* latest games in a row with a forfeit */
};

struct breaker {
    struct breaker_worker *workers[BREAKER_WORKERS_MAX];
    int worker_count;
    int worker_max;                                   /* BREAKER_WORKERS_MAX at most; 0: so many */
    struct breaker_seats seats[SCHEDULE_ENTRIES_MAX]; /* on all workers, also forgotten ones */
    int authors[SCHEDULE_ENTRIES_MAX]; /* by bot, once it has played: as in schedule_entry */
    int first_author;                  /* of the first bot that played */
    bool has_games, has_authors;       /* bots have played; bots of several authors */
};

/* Counts a game of these entries that a worker played. Returns 0 or -ENOMEM. */
int breaker_add(struct breaker *breaker, const struct schedule_entry *entries,
                const struct store_game *game);

/* True if a worker is sick, with the reason in `words`. */
bool breaker_trips(const struct breaker *breaker, int64_t worker_id, enum breaker_parts parts,
                   char words[static BREAKER_WORDS_BYTES]);

/* Forgets the games of a worker. */
void breaker_forget(struct breaker *breaker, int64_t worker_id);

void breaker_finish(struct breaker *breaker);

#endif
