/*
 * How maestro decides: drafts by search, phase 2 by planning, both with two players also by
 * rollouts. Knows no clock: the caller says when to stop.
 */
#ifndef BOTS_SEARCH_MIND_H
#define BOTS_SEARCH_MIND_H

#include "bots/search/rollout.h"

enum {
    MIND_LAMBDA = 256,   /* for value_of_draft */
    MIND_PLAN_WIDTH = 8, /* maximum width of the plan that is played */
    MIND_PLAN_US = 200,  /* estimated time per unit of width */
    MIND_LEAF_WIDTH = 4, /* width of plans for leaves of the search */
    MIND_PLAN_REACH = 6, /* value of search.plan_reach, in points */
    MIND_MARGIN = 4,     /* points: rollouts judge only drafts whose worth, by the search, is within
                            this margin of the best */
    MIND_PLAYS = 4,      /* for search.play_count */
    MIND_PLAY_REACH = 9, /* points, for search.plan_reach then */
    MIND_PLAY_US = 100000,  /* minimum time to think that allows it */
    MIND_PLACE_US = 100000, /* minimum time to think that allows rollouts of placements */
    MIND_PLACE_MARGIN = 3,  /* points: they compare only what is within this margin of the best */
    MIND_ROLLOUT_US = 5000, /* minimum time to think that allows rollouts */
    MIND_REPLIES = 3, /* best-looking drafts considered for each other seat, with three or four
                         players; with two, all are considered */
    /* A seat is treated as predictable after this many predicted drafts in a row. */
    MIND_FORETOLD = 8,
};

/* About 7 MiB: make it static or allocate it. */
struct mind {
    struct weights_set set; /* for the current game: tables_load() */
    struct search search;
    struct rollout rollout;
    int32_t worth;                  /* worth of the last decision, to the seat that made it */
    int foretold[GAME_PLAYERS_MAX]; /* by seat: how many of its last drafts in a row were those that
                                       looked best for it */
};

/* Initializes a mind, except its weights, which the caller must set before the first decision. */
void mind_init(struct mind *mind);

/* Begins a match: loads the built-in weights for this kind of game. */
void mind_begin(struct mind *mind, int player_count, enum board_side side);

/*
 * Records another seat's draft, to learn whether the seat is predictable. game is the position
 * before the draft.
 */
void mind_watch(struct mind *mind, const struct game *game, struct action action);

/*
 * Decides for the seat to act. enough_fn (NULL: never stop) is called at least every tenth of a
 * millisecond of a search, and between two plans, which take a millisecond or two; it ends both
 * when it returns true. The width of a plan is chosen to fit think_us.
 */
struct action mind_choose(struct mind *mind, const struct game *game, int64_t think_us,
                          bool (*enough_fn)(void *context), void *context);

#endif
