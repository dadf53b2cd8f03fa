/* SPDX-License-Identifier: MIT */
/*
 * Trains, by self-play, the weights for one player count and one side of the board. The same seed
 * and number of games give the same weights on every machine.
 */
#ifndef BOTS_TRAINING_TRAINING_H
#define BOTS_TRAINING_TRAINING_H

#include "bots/search/search.h"
#include "sdk/steady/value.h"

/*
 * How a seat plays in the trainer's games. Learners play as well as they can; other seats play as
 * learners' opponents may.
 */
enum {
    POLICY_LAMBDA = 256, /* weight of other seats' points: as much as the bot's own (lambda of
                            value_of_draft) */
    POLICY_DEPTH = 2, /* search depth, in drafts, of seats that plan, unless the options say so */
    POLICY_WIDTH = 4, /* beam width of the plans (sdk/steady/plan.h) of seats that look ahead */
};

struct policy {
    bool is_learner;     /* the trainer learns from the seat's positions */
    int lambda;          /* weight of other seats' points (lambda of value_of_draft); 256 means 1 */
    int tile_points;     /* points that the seat counts for each drafted tile */
    int value_percent;   /* share of a draft's value that the seat considers */
    int random_permille; /* share of decisions that the seat makes at random */
    bool is_calm;        /* the seat makes only drafts at random */
    int depth;           /* the seat plans placements and searches drafts to this depth; 0: it
                            looks one action ahead in both phases */
};

/* Chooses an action for the seat whose turn it is, with the weights search->set. *random is the
 * state of draw_next. */
struct action policy_choose(const struct policy *policy, struct search *search,
                            const struct game *game, uint64_t *random);

/*
 * Learns from whole games: after a game, the trainer corrects the weights behind each recorded
 * position towards the game's outcome. Temporal-difference learning with lambda 0.7 and temporal
 * coherence (TC): each weight has a learning rate, which falls while its corrections cancel out.
 */
enum {
    MOMENTS_MAX = 8192, /* maximum of recorded positions per game */
    /* Of weights that were learned before: the first learning rate, in percent, and the sum of
     * absolute corrections that it stands for, in points. */
    AGAIN_RATE_PERCENT = 10,
    AGAIN_POINTS = 20,
};

/* A recorded position, in which a learner was to move. */
struct moment {
    uint8_t seat;
    uint8_t round;
    uint8_t kind;  /* enum value_kind */
    int32_t score; /* score of the seat in the position */
    struct features features;
};

struct learner {
    struct weights_set set;
    /* Sum of the corrections of each weight. */
    float sums[sizeof(struct weights_set) / sizeof(int32_t)];
    /* Sum of the absolute corrections of each weight. */
    float magnitudes[sizeof(struct weights_set) / sizeof(int32_t)];
    float least_rate; /* lower bound of learning rates, without which weights that every position
                         uses would stop learning */
    double squares;   /* sum of squared errors since the last progress report, in points squared */
    long error_count;
    size_t moment_count;
    struct moment moments[MOMENTS_MAX]; /* positions of the current game */
};

struct training {
    int player_count;
    enum board_side side;
    uint8_t seed[GAME_SEED_BYTES];
    int one_ply_percent; /* share of the games, counted from the first, in which seats look only one
                            draft ahead */
    int depth;           /* search depth, in drafts, in the other games */
    bool is_calm;        /* random actions are drafts only, so that no seat passes by chance */
    uint32_t game_count; /* number of games to play */
    uint32_t played;     /* number of games played so far */
    double points;       /* sum of learners' scores since the last progress report */
    long point_count;    /* number of scores in `points` */
    struct learner *learner; /* owned by the caller */
    struct search *search;   /* owned by the caller */
};

/* Prepares a learner to go on from learner->set, whose weights were learned before. */
void training_learn_again(struct learner *learner);

/* Plays the next game and learns from it. */
void training_play(struct training *training);

#endif
