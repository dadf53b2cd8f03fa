/*
 * Searching a draft: alpha-beta with iterative deepening and transpositions, to the end of the
 * round at most; nothing is drawn until then. The seat that searches takes what is best for it,
 * each other seat what is worst for that one (with two players that is the same as what is best
 * for the other; with more, it is the cautious view, "paranoid"). Knows no clock: somebody else
 * says when it is enough.
 */
#ifndef BOTS_SEARCH_SEARCH_H
#define BOTS_SEARCH_SEARCH_H

#include "bots/search/plan.h"
#include "bots/value/drafting.h"

enum {
    SEARCH_DEPTH_MAX = 64,    /* drafts of one round: no more than 36 tiles */
    SEARCH_DRAFTS_MAX = 60,   /* of one position */
    SEARCH_ENTRIES = 1 << 18, /* transpositions */
    SEARCH_PLANS = 1 << 14,   /* plans kept */
    SEARCH_ENOUGH_NODES = 32, /* enough_fn is asked after so many nodes, and after each plan */
};

struct search_entry {
    uint32_t check;
    int32_t worth;
    uint8_t depth;
    uint8_t bound : 7;  /* enum search_bound */
    uint8_t is_cut : 1; /* something lay beyond the depth */
    uint8_t best;       /* bit of game.offers, 255 if none */
    uint8_t age;
};

struct search_plan {
    uint64_t tiles;
    int32_t worth; /* less the score */
    uint16_t age;
    int8_t seat;
};

/* The working memory of a search, 4 MiB: make it static or allocate it. All zeros is ready. */
struct search {
    /* what to search with: set these before */
    const struct weights_set *set;
    int lambda;                        /* of value_of_draft, 256 for 1 */
    uint8_t replies[GAME_PLAYERS_MAX]; /* by seat: how many of the drafts that look best to another
                                          seat it is thought to choose from; 0: all */
    int depth_max;                     /* drafts ahead, 1..SEARCH_DEPTH_MAX */
    int plan_width;                    /* of plans that are made for leaves */
    const uint8_t *plan_percent; /* by round, from 1: how much of a leaf's worth is the plan's, not
                                    the weights'; NULL: nothing */
    bool (*enough_fn)(void *context); /* NULL: search to depth_max */
    void *context;

    /* what came of it */
    long node_count, leaf_count, plan_count;
    int depth;     /* searched to its end */
    bool is_exact; /* nothing lay beyond */

    /* its own */
    int seat;
    bool is_stopped, is_cut;
    uint16_t age;
    struct drafting_values values;
    struct search_entry entries[SEARCH_ENTRIES];
    struct search_plan plans[SEARCH_PLANS];
};

/* The best draft in a position of phase 1, and what it is worth to the seat to act. */
struct action search_draft(struct search *search, const struct game *game, int32_t *worth);

/* True if no other draft of a position looks better to the seat to act, one draft ahead. */
bool search_is_best_look(struct search *search, const struct game *game, struct action action);

#endif
