/*
 * Learns from whole games: each position of a learner's seat moves the weights that valued it
 * towards the game's outcome. Temporal differences with lambda 0.7 (here BLEND), and a rate per
 * weight that falls when its corrections cancel out (TC).
 */
#ifndef BOTS_TRAINING_LEARNER_H
#define BOTS_TRAINING_LEARNER_H

#include "bots/value/value.h"

enum {
    MOMENTS_MAX = 8192, /* maximum of positions of all seats in one game */
};

/* A position of a learner's seat. */
struct moment {
    uint8_t seat;
    uint8_t round;
    uint8_t kind;  /* enum value_kind */
    int32_t score; /* points so far */
    struct features features;
};

struct learner {
    struct weights_set set;
    /* Sum of the corrections, by weight. */
    float sums[sizeof(struct weights_set) / sizeof(int32_t)];
    /* Sum of their absolute values. */
    float magnitudes[sizeof(struct weights_set) / sizeof(int32_t)];
    float least_rate; /* lower bound of each weight's rate: without it, weights used in every
                         position stop learning */
    double squares;   /* sum of squared errors, in points */
    long error_count;
    size_t moment_count;
    struct moment moments[MOMENTS_MAX]; /* positions of the current game */
};

/* Records a seat's position. */
void learner_note(struct learner *learner, const struct outlook *outlook, int seat);

/* Learns from a game that is over. */
void learner_learn(struct learner *learner, const struct game *game);

#endif
