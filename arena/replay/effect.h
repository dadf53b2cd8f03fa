/*
 * The effect of one decision under the rules: tiles moved, points, features joined; and the parts
 * of the final scoring. Plain values for code that describes or draws a match. Pure.
 */
#ifndef ARENA_REPLAY_EFFECT_H
#define ARENA_REPLAY_EFFECT_H

#include "engine/board.h"
#include "engine/game.h"

struct effect {
    struct action action;
    int seat;              /* the seat that decided */
    int player_count;      /* number of players in the game */
    int round;             /* round of the decision, 1..GAME_ROUNDS */
    int wild;              /* color */
    enum board_side board; /* side of the player boards */
    int points;            /* won, or lost if negative; without the final scoring */
    int penalty;           /* points that the rules deduct; near score 1 fewer are lost */
    int score;             /* score after it, without the final scoring */
    int run;           /* placement: length of the row of filled spaces with the new tile, 1..6 */
    int cost;          /* placement: tiles paid */
    unsigned features; /* placement: features that were joined, bit i for board_features[i] */
    int earned;        /* placement: bonus tiles for those features */
    int granted;       /* placement: bonus tiles that the supply can give */
    bool token;        /* draft: the start token was taken too */
    uint8_t moved[GAME_COLORS]; /* draft, bonus: taken; placement: paid; pass: kept */
    uint8_t lost[GAME_COLORS];  /* pass: discarded */
    bool round_ended;           /* it was the last pass of a round */
    bool game_ended;            /* it was the last pass of the game: see effect_final */
};

/*
 * Computes the effect of action in a game, which is not changed. Returns false if the rules forbid
 * the action.
 */
bool effect_of(const struct game *game, struct action action, struct effect *effect);

/* The final scoring of one seat, in points. */
struct effect_final {
    int before;                      /* score at the end of the last round */
    int stars[GAME_STARS];           /* points for each finished star, else 0 */
    int covered[GAME_STARS];         /* covered spaces of each star (not points) */
    int costs[BOARD_REWARDED_COSTS]; /* points for a cost that is covered on all stars, [0] for cost
                                        1 */
    int corner_tiles;                /* tiles left on the corners */
    int corners;                     /* points lost for these tiles */
    int after;                       /* final score */
};

/*
 * Computes, by seat, the final scoring after the last pass of a game; that pass is not played yet.
 */
void effect_final(const struct game *game, struct action last_pass,
                  struct effect_final finals[static GAME_PLAYERS_MAX]);

#endif
