/*
 * Trains, by self-play, the weights for one player count and one side of the board. The same seed
 * and number of games give the same weights on every machine.
 */
#ifndef BOTS_TRAINING_TRAINING_H
#define BOTS_TRAINING_TRAINING_H

#include "bots/search/search.h"
#include "bots/value/value.h"

/*
 * How a seat plays in the trainer's games: learners as well as they can, others in ways that
 * learners must be able to handle.
 */
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

/*
 * Learns from whole games: each position of a learner's seat moves the weights that valued it
 * towards the game's outcome. Temporal differences with lambda 0.7, and a rate per weight that
 * falls when its corrections cancel out (TC).
 */
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

/* Writes token.svg, wild.svg and stars.svg, charts of weights, into a folder. Returns 0 or -errno.
 */
int picture_write_weights(const struct weights_set *set, const char *folder);

#endif
