/*
 * Trains, by self-play, the weights for one player count and one side of the board. The same seed
 * and number of games give the same weights on every machine.
 */
#ifndef BOTS_TRAINING_TRAINING_H
#define BOTS_TRAINING_TRAINING_H

#include "bots/training/learner.h"
#include "bots/training/policy.h"

struct training {
    int player_count;
    enum board_side side;
    uint8_t seed[GAME_SEED_BYTES];
    int one_ply_percent;     /* share of the games, from the first on, without look-ahead */
    uint32_t game_count;     /* total number of games */
    uint32_t played;         /* games so far */
    double points;           /* total score of learners' seats in the last games */
    long point_count;        /* number of these seats */
    struct learner *learner; /* owned by the caller */
    struct search *search;   /* owned by the caller */
};

/* Plays the next game and learns from it. */
void training_play(struct training *training);

#endif
