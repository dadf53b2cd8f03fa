/*
 * How a seat plays in the trainer's games: learners as well as they can, others in ways that
 * learners must be able to handle.
 */
#ifndef BOTS_TRAINING_POLICY_H
#define BOTS_TRAINING_POLICY_H

#include "bots/search/search.h"

enum {
    POLICY_LAMBDA = 256, /* for value_of_draft: other seats count in full */
    POLICY_DEPTH = 2,    /* search depth in drafts of seats that look ahead */
    POLICY_WIDTH = 4,    /* width of their plans */
};

struct policy {
    bool is_learner;     /* its positions are learned from */
    int lambda;          /* for value_of_draft */
    int tile_points;     /* added for each drafted tile */
    int value_percent;   /* weight of a draft's value */
    int random_permille; /* how often it plays at random */
    bool looks_ahead;    /* drafts with a search of two plies, places with a plan */
};

/* Chooses an action for the seat to act, using search->set. *random is the state of draw_next. */
struct action policy_choose(const struct policy *policy, struct search *search,
                            const struct game *game, uint64_t *random);

#endif
