/*
 * How a seat plays while the trainer's games go on: learners as well as they can, others in
 * ways that learners must know how to meet.
 */
#ifndef BOTS_TRAINING_POLICY_H
#define BOTS_TRAINING_POLICY_H

#include "bots/search/search.h"

enum {
    POLICY_LAMBDA = 256, /* of value_of_draft: others count in full */
    POLICY_DEPTH = 2,    /* drafts that who looks ahead looks at */
    POLICY_WIDTH = 4,    /* of its plans */
};

struct policy {
    bool is_learner;     /* what it sees is learned from */
    int lambda;          /* of value_of_draft */
    int tile_points;     /* for each tile drafted, on top of its value */
    int value_percent;   /* of the value of a draft that counts */
    int random_permille; /* moves by chance */
    bool looks_ahead;    /* drafts by two plies, places by a plan */
};

/* Chooses for the seat to act, by search->set. *random is a state of draw_next. */
struct action policy_choose(const struct policy *policy, struct search *search,
                            const struct game *game, uint64_t *random);

#endif
