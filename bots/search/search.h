/*
 * Searches for a draft: alpha-beta with iterative deepening and a transposition table, at most to
 * the end of the round; nothing random happens until then. The searching seat maximizes its worth,
 * and every other seat minimizes it (with two players that is exact; with more it is the cautious,
 * "paranoid" search). Knows no clock: the caller says when to stop.
 */
#ifndef BOTS_SEARCH_SEARCH_H
#define BOTS_SEARCH_SEARCH_H

#include "bots/search/plan.h"
#include "bots/value/drafting.h"

enum {
    SEARCH_DEPTH_MAX = 64,    /* drafts of one round: at most 36 tiles */
    SEARCH_DRAFTS_MAX = 60,   /* maximum of drafts in one position */
    SEARCH_ENTRIES = 1 << 18, /* size of the transposition table */
    SEARCH_PLANS = 1 << 14,   /* size of the cache of plans */
    SEARCH_LINES = 4,         /* maximum of search_lines() */
    /* Nodes between calls of enough_fn, which is also called after each plan. */
    SEARCH_ENOUGH_NODES = 8,
};

struct search_entry {
    uint32_t check;
    int32_t worth;
    uint8_t depth;
    uint8_t bound : 7;  /* enum search_bound */
    uint8_t is_cut : 1; /* the search was cut off by the depth limit */
    uint8_t best;       /* bit number in game.offers, 255 if none */
    uint8_t age;
};

struct search_plan {
    uint64_t tiles;
    int32_t worth; /* without the score */
    uint16_t age;
    int8_t seat;
    uint8_t play_count; /* as in struct search */
    bool is_start;      /* it drafts first in the next round */
};

/*
 * The working memory of a search, 4 MiB: make it static or allocate it. Zero-filled, it is ready to
 * use.
 */
struct search {
    /* parameters: set these before a search */
    const struct weights_set *set;
    int lambda;                        /* for value_of_draft, 256 means 1 */
    uint8_t replies[GAME_PLAYERS_MAX]; /* by seat: best-looking drafts to consider while another
                                          seat searches; 0: all */
    int depth_max;                     /* limit in drafts, 1..SEARCH_DEPTH_MAX */
    int plan_width;                    /* width of the plans at leaves */
    int play_count;                    /* in the last round: sequences of draws with which the plan
                                          at a leaf is played (plan_play); 0: it is only made */
    const uint8_t *plan_percent; /* by round, from 1: share of a leaf's worth that comes from a
                                    plan, the rest coming from the weights; NULL: no plans */
    int32_t plan_reach;          /* no plan is made for a leaf whose worth by the weights is further
                                    than this outside the window; 0: always plan */
    bool (*enough_fn)(void *context); /* NULL: search to depth_max */
    void *context;

    /* results */
    long node_count, leaf_count, plan_count;
    int depth;     /* completely searched */
    bool is_exact; /* the depth limit cut nothing off */

    /* internal */
    int seat;
    bool is_stopped, is_cut;
    uint16_t age;
    uint16_t plan_age; /* of the draft: boards, bag and supply stay as they are in it */
    struct drafting_values values;
    struct search_entry entries[SEARCH_ENTRIES];
    struct search_plan plans[SEARCH_PLANS];
};

/* Returns the best draft in a position of phase 1, and its worth to the seat to act. */
struct action search_draft(struct search *search, const struct game *game, int32_t *worth);

/* A draft, and the end of the round's draft that the search expects after it. */
struct search_line {
    struct action action;
    int32_t worth;    /* worth to the seat to act */
    struct game last; /* at the beginning of phase 2 */
};

/*
 * Call it after search_draft() found the best draft and its worth exactly (is_exact). Finds the
 * drafts that are worse by less than margin, the best first. Returns how many there are: at least
 * 1; some are missing if enough_fn stopped it.
 */
int search_lines(struct search *search, const struct game *game, struct action best, int32_t worth,
                 int32_t margin, struct search_line lines[static SEARCH_LINES]);

/* True if a draft looks best, searching one draft ahead, to the seat to act. */
bool search_is_best_look(struct search *search, const struct game *game, struct action action);

#endif
