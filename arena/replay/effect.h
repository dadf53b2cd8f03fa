/* SPDX-License-Identifier: MIT */
/*
 * Computes what one decision does under the rules (tiles moved, points, features completed), and
 * the parts of the final scoring, as plain values for code that describes or draws a match. Pure.
 */
#ifndef ARENA_REPLAY_EFFECT_H
#define ARENA_REPLAY_EFFECT_H

#include "engine/board.h"
#include "engine/game.h"

struct effect {
    struct action action;
    int seat;              /* seat that decided */
    int round;             /* round of the decision, 1..GAME_ROUNDS */
    int wild;              /* color that is wild in this round */
    enum board_side board; /* side of the player boards */
    int points;            /* points won, or lost if negative; final scoring not included */
    int penalty; /* points that the rules deduct; a seat never loses more points than it has */
    int score;   /* score after the decision; final scoring not included */
    int run;     /* placement: number of adjacent filled spaces that include the new tile, 1..6 */
    int cost;    /* placement: number of tiles paid */
    unsigned features; /* placement: completed features, bit i for board_features[i] */
    int earned;        /* placement: bonus tiles that the completed features earn */
    int granted;       /* placement: number of earned bonus tiles that the supply can give */
    bool token;        /* draft: the seat also took the start token */
    uint8_t moved[GAME_COLORS]; /* tiles taken (draft, bonus), paid (placement) or kept (pass), by
                                   color */
    uint8_t lost[GAME_COLORS];  /* pass: tiles discarded, by color */
    bool game_ended;            /* the decision was the last pass of the game: see effect_final */
};

/*
 * Computes the effect that action would have in a game; does not change the game. Returns false if
 * the rules forbid the action.
 */
bool effect_of(const struct game *game, struct action action, struct effect *effect);

/* The final scoring of one seat, in points. */
struct effect_final {
    int before;                      /* score at the end of the last round */
    int stars[GAME_STARS];           /* points for each star, 0 if the star is not full */
    int covered[GAME_STARS];         /* number of covered spaces on each star */
    int costs[BOARD_REWARDED_COSTS]; /* points for each cost whose spaces are all covered; [0]: cost
                                        1 */
    int corners;                     /* points lost for the tiles on the corners */
    int after;                       /* final score */
};

/*
 * Computes the final scoring of each seat after an action. Returns false, with all numbers 0, if
 * the action does not end the game.
 */
bool effect_final(const struct game *game, struct action action,
                  struct effect_final finals[static GAME_PLAYERS_MAX]);

#endif
