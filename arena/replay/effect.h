/*
 * What one decision did to the table, by the rules: tiles moved, points, features joined; and
 * the final scoring taken apart. Plain values for whoever tells or draws a match. Pure.
 */
#ifndef ARENA_REPLAY_EFFECT_H
#define ARENA_REPLAY_EFFECT_H

#include "engine/board.h"
#include "engine/game.h"

struct effect {
    struct action action;
    int seat;                   /* that decided */
    int player_count;           /* of the table */
    int round;                  /* 1..GAME_ROUNDS, in which it was decided */
    int wild;                   /* color */
    enum board_side board;      /* side of the player boards */
    int points;                 /* won, or lost if below 0; final scoring not included */
    int penalty;                /* points that the rules deduct; fewer are lost near score 1 */
    int score;                  /* after it, final scoring not included */
    int run;                    /* placement: filled spaces in a row with the new tile, 1..6 */
    int cost;                   /* placement: tiles paid */
    unsigned features;          /* placement: those joined, bit i for board_features[i] */
    int earned;                 /* placement: bonus tiles of those features */
    int granted;                /* placement: of them, as many as the supply holds */
    bool token;                 /* draft: the start token was taken along */
    uint8_t moved[GAME_COLORS]; /* draft, bonus: taken; placement: paid; pass: kept */
    uint8_t lost[GAME_COLORS];  /* pass: discarded */
    bool round_ended;           /* the last pass of a round */
    bool game_ended;            /* the last pass of the game: effect_final tells the rest */
};

/* What action does in a game, which is left alone. False: the rules forbid it. */
bool effect_of(const struct game *game, struct action action, struct effect *effect);

/* The final scoring of one seat, in points. */
struct effect_final {
    int before;                      /* score when the last round had ended */
    int stars[GAME_STARS];           /* finished stars, 0 for others */
    int covered[GAME_STARS];         /* spaces of each star, no points */
    int costs[BOARD_REWARDED_COSTS]; /* costs covered everywhere, [0] for cost 1 */
    int corner_tiles;                /* left on the corners, */
    int corners;                     /* and what is lost for them */
    int after;                       /* final score */
};

/* The final scoring that the last pass of a game, not yet played, leads to. By seat. */
void effect_final(const struct game *game, struct action last_pass,
                  struct effect_final finals[static GAME_PLAYERS_MAX]);

#endif
