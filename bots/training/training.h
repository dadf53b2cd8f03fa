/*
 * Self-play that makes the weights of one number of players and side of the board. The same
 * seed and number of games make the same weights, on every machine.
 */
#ifndef BOTS_TRAINING_TRAINING_H
#define BOTS_TRAINING_TRAINING_H

#include "bots/training/learner.h"
#include "bots/training/policy.h"

struct training {
    int player_count;
    enum board_side side;
    uint8_t seed[GAME_SEED_BYTES];
    int one_ply_percent;     /* of all games, the first: the rest look ahead */
    uint32_t game_count;     /* to be played in all */
    uint32_t played;         /* so far */
    double points;           /* scored by learners' seats in the last games */
    long point_count;        /* ... and how many seats that were */
    struct learner *learner; /* the caller's */
    struct search *search;   /* the caller's */
};

/* Plays the next game and learns from it. */
void training_play(struct training *training);

#endif
