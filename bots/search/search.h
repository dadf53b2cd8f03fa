/* SPDX-License-Identifier: MIT */
/*
 * Searches for the best draft: alpha-beta with iterative deepening and a transposition table, at
 * most to the end of the draft phase, which contains nothing random. The searching seat maximizes
 * its worth, and every other seat minimizes the searching seat's worth (exact with two players, the
 * cautious "paranoid" search with more). Reads no clock: enough_fn says when to stop.
 */
#ifndef BOTS_SEARCH_SEARCH_H
#define BOTS_SEARCH_SEARCH_H

#include "sdk/steady/plan.h"
#include "bots/search/drafting.h"
#include "bots/search/net.h"

enum {
    SEARCH_DEPTH_MAX = 64,    /* largest number of drafts in a round, rounded up from 36 tiles */
    SEARCH_DRAFTS_MAX = 60,   /* largest number of legal drafts in one position */
    SEARCH_ENTRIES = 1 << 18, /* number of entries in the transposition table */
    SEARCH_PLANS = 1 << 14,   /* number of entries in the cache of plans */
    SEARCH_LINES = 16,        /* largest number of lines that search_lines() returns */
    /* Number of nodes between two calls of enough_fn; each plan calls enough_fn too. */
    SEARCH_ENOUGH_NODES = 8,
};

struct search_entry {
    uint32_t check;
    int32_t worth;
    uint8_t depth;
    uint8_t bound : 7;  /* enum search_bound */
    uint8_t is_cut : 1; /* the depth limit ended the search of this position */
    uint8_t best;       /* best draft, as a bit number in game.offers; 255: none */
    uint8_t age;
};

struct search_plan {
    uint64_t tiles;
    int32_t worth; /* worth of the plan minus the seat's score */
    uint16_t age;
    int8_t seat;
    uint8_t play_count; /* value of search.play_count with which the worth was computed */
    bool is_start;      /* the seat will draft first in the next round */
    bool is_half;       /* `half` is set */
    struct net_half half;
};

/*
 * Parameters, results and memory of a search: 9 MiB, too large for the stack. Zeroed before the
 * first search.
 */
struct search {
    /* Parameters, which the caller sets before a search. */
    const struct weights_set *set;
    int lambda; /* weight of other seats' points (lambda of value_of_draft); 256 means 1 */
    uint8_t replies[GAME_PLAYERS_MAX]; /* by seat: number of drafts to consider for the seat while
                                          another seat searches; 0: all */
    int depth_max;                     /* maximum depth in drafts, 1..SEARCH_DEPTH_MAX */
    int plan_width;                    /* beam width of the plans that value leaves */
    int play_count; /* argument `count` of plan_play for leaves of the last round; 0: value them
                       with plan_make */
    const uint8_t *plan_percent; /* by round, from 1: share of a leaf's worth that comes from a
                                    plan, not from the weights; NULL: no plans */
    const struct net *nets; /* by round, from 1: networks that value leaves while play_count is 0;
                               NULL: none */
    int32_t plan_reach; /* make no plan for a leaf that the weights put further than this outside
                           the alpha-beta window; 0: always plan */
    /* Called during the search; returns true to stop; NULL: never stop. */
    bool (*enough_fn)(void *context);
    void *context;

    /* results */
    long node_count, leaf_count, plan_count;
    int depth;     /* greatest depth to which the search is complete */
    bool is_exact; /* no position was cut off by the depth limit */

    /* internal */
    int seat;
    bool is_stopped, is_cut;
    uint16_t age;
    uint16_t plan_age; /* cached plans of another age are invalid; a new age begins when boards, bag
                          or supply change */
    struct drafting_values values;
    struct search_entry entries[SEARCH_ENTRIES];
    struct search_plan plans[SEARCH_PLANS];
};

/* Returns the best draft in a game in the draft phase; sets *worth to the draft's worth to the seat
 * to act. */
struct action search_draft(struct search *search, const struct game *game, int32_t *worth);

/*
 * After search_draft() in this game: sets *worth to the worth of another draft to the seat to act,
 * searched to `depth` (at least 1). Returns false if enough_fn stopped the search.
 */
bool search_worth(struct search *search, const struct game *game, struct action action, int depth,
                  int32_t *worth);

/* A draft, and the end of the draft phase to which the search expects it to lead. */
struct search_line {
    struct action action;
    int32_t worth;    /* worth to the seat to act */
    struct game last; /* game at the beginning of the place phase that the search expects */
};

/*
 * Finds the best draft and the drafts that are worse by less than `margin`, the best first, at most
 * `most` lines (2..SEARCH_LINES). Of drafts that lead to the same end in another order, only the
 * best is a line. Call it after search_draft() has returned `best` and `worth` with is_exact set.
 * Returns the number of lines, at least 1; lines are missing if enough_fn stopped the search.
 */
int search_lines(struct search *search, const struct game *game, struct action best, int32_t worth,
                 int32_t margin, int most, struct search_line lines[static SEARCH_LINES]);

/* True if `action` is the best draft of the seat to act, by a search of one draft ahead. */
bool search_is_best_look(struct search *search, const struct game *game, struct action action);

#endif
