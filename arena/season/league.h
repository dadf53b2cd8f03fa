/* SPDX-License-Identifier: MIT */
/*
 * A league: the same bots, in divisions by strength, round after round. A division of a round is a
 * season of its own, whose roster is the division's list. When the seasons of a round are closed,
 * the best of each division go up and as many of the division above come down; who is new begins in
 * the last division.
 *
 * The order of a season's final list decides. A bot whose range of ranks reaches over a cut is
 * marked as undecided: the games do not yet say for certain on which side it belongs.
 */
#ifndef ARENA_SEASON_LEAGUE_H
#define ARENA_SEASON_LEAGUE_H

#include "arena/store/store.h"

enum league_limits {
    LEAGUE_DIVISIONS_MAX = 16,
};

enum league_move {
    LEAGUE_STAYS = 0,
    LEAGUE_RISES = 1,
    LEAGUE_FALLS = 2,
};

/* A bot of a division. */
struct league_place {
    char bot[STORE_NAME_BYTES_MAX + 1];
    int rank_best, rank_worst; /* 0: no games yet */
    enum league_move move;     /* if the round ended now */
    bool is_undecided;
};

struct league_division {
    char name[STORE_TEXT_BYTES_MAX + 1];
    struct store_season season;
    struct league_place *places; /* best first; owned */
    int count;
};

/* One round of a league. */
struct league_round {
    struct store_league league;
    int number;                                             /* from 1; 0: there is none yet */
    struct league_division divisions[LEAGUE_DIVISIONS_MAX]; /* best first */
    int count;
};

/*
 * Splits a league's names of divisions into those of `round`, which it sets to zero otherwise.
 * Returns 0, -EINVAL if a name is empty or comes twice, or -E2BIG.
 */
int league_split(const struct store_league *league, struct league_round *round);

/* Reads the latest round. Returns 0 or -errno (see store_failure) with nothing to finish. */
int league_read(struct league_round *round, struct store *store, const char *name);

/* Frees the places. */
void league_finish(struct league_round *round);

/* Sets who moves, and who is undecided. Pure. */
void league_mark(struct league_round *round);

/*
 * Makes the next round: into each division go the bots that stay, those that fall into it and those
 * that rise into it; into the last one also the bots that have no division yet, in the order of
 * their admission. Bots that were retired or banned leave their places to the next ones below. Of
 * round 0, in which nobody has a place, the next is the first. Returns 0 or -errno with nothing to
 * finish.
 */
int league_choose(const struct league_round *round, struct store *store, struct league_round *next);

/*
 * Makes the next round of bots in an order of one's own, best first: place_count in each division,
 * and the rest in the last one. Returns 0 or -errno with nothing to finish.
 */
int league_fill(const struct league_round *round, const char *const *names, size_t count,
                struct league_round *next);

/* Calls each_fn for the bots that play, and have no place in the round. */
int league_left_out_each(const struct league_round *round, struct store *store,
                         store_bot_fn *each_fn, void *context);

/*
 * Stores a round: its league, if that is new, and for each division the season with its terms and
 * its roster, in which the reference bots are too. One transaction. Returns 0 or -errno (see
 * store_failure).
 */
int league_store(struct league_round *round, struct store *store);

/* Returns the words of a move, such as "rises": a static string. */
extern const char *const league_moves[];

#endif
