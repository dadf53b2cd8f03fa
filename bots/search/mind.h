/*
 * How maestro decides: drafts by search, phase 2 by a plan. Says nothing of time: who asks
 * says when it is enough.
 */
#ifndef BOTS_SEARCH_MIND_H
#define BOTS_SEARCH_MIND_H

#include "bots/search/search.h"

enum {
    MIND_LAMBDA = 256,   /* of value_of_draft */
    MIND_PLAN_WIDTH = 8, /* of the plan that is played, at most */
    MIND_PLAN_US = 200,  /* for each node of that width */
    MIND_LEAF_WIDTH = 4, /* of plans made for leaves of the search */
    MIND_REPLIES = 3,    /* drafts that another seat is thought to choose from, with three or four
                            players; all with two */
    MIND_FORETOLD = 8,   /* drafts foretold in a row, from which on it is thought to go on so */
};

/* Some 7 MiB: static, or allocated. */
struct mind {
    struct weights_set set; /* for the game at hand: tables_load() */
    struct search search;
    int32_t worth;                  /* of the last decision, to the seat that took it */
    int foretold[GAME_PLAYERS_MAX]; /* by seat: how many of its last drafts in a row were those that
                                       looked best for it */
};

/* Sets a mind up; its weights are the caller's to fill in, before the first decision only. */
void mind_init(struct mind *mind);

/* A match begins: takes the weights that are built in for such a game. */
void mind_begin(struct mind *mind, int player_count, enum board_side side);

/* Another seat drafted: learns whether it can be foretold. game is as it was before. */
void mind_watch(struct mind *mind, const struct game *game, struct action action);

/*
 * Decides for the seat to act. enough_fn (NULL: never) is asked every few microseconds and ends
 * the search of a draft when it says true. A plan is made as wide as fits think_us.
 */
struct action mind_choose(struct mind *mind, const struct game *game, int64_t think_us,
                          bool (*enough_fn)(void *context), void *context);

#endif
