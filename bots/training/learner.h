/*
 * Learning from whole games: every position that a learner's seat went through moves the
 * weights that valued it towards what came of it. Temporal differences with lambda 0.7 (here
 * BLEND), and a rate for each weight that falls as its corrections cancel out (TC).
 */
#ifndef BOTS_TRAINING_LEARNER_H
#define BOTS_TRAINING_LEARNER_H

#include "bots/value/value.h"

enum {
    MOMENTS_MAX = 8192, /* positions of all seats in one game */
};

/* A position that a seat went through. */
struct moment {
    uint8_t seat;
    uint8_t round;
    uint8_t kind;  /* enum value_kind */
    int32_t score; /* points so far */
    struct features features;
};

struct learner {
    struct weights_set set;
    float sums[sizeof(struct weights_set) / sizeof(int32_t)];       /* of corrections */
    float magnitudes[sizeof(struct weights_set) / sizeof(int32_t)]; /* of their absolutes */
    float least_rate; /* of any weight: what every position looks at would else stop learning */
    double squares;   /* of errors, in points */
    long error_count;
    size_t moment_count;
    struct moment moments[MOMENTS_MAX]; /* of the game that is played */
};

/* Notes how a seat stands. */
void learner_note(struct learner *learner, const struct outlook *outlook, int seat);

/* The game is over: learns from it. */
void learner_learn(struct learner *learner, const struct game *game);

#endif
