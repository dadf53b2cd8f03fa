/* SPDX-License-Identifier: MIT */
/*
 * What a bot that searches needs besides the rules: what stands on the table, what an action gives
 * now, and a way to play games to their end that is better than chance. Pure; allocates nothing. A
 * seat is 0..player_count-1, a color 0..GAME_COLORS-1; another number is the caller's fault and is
 * not noticed.
 */
#ifndef SDK_POLICY_H
#define SDK_POLICY_H

#include "engine/board.h"
#include "engine/game.h"
#include "engine/public.h"

PUBLIC_BEGIN

/* Returns the set of spaces that a seat has filled (board_space). */
uint64_t sdk_filled(const struct game *game, int seat) LINK_NAME(sdk_filled);

/*
 * Returns the set of spaces that a seat must still fill for a bonus feature
 * (0..BOARD_FEATURES-1, as in board_features); 0: the seat has it.
 */
uint64_t sdk_feature_lacks(const struct game *game, int seat, int feature)
    LINK_NAME(sdk_feature_lacks);

/*
 * Returns how many tiles of a color lie on a display (0..2 * player_count) or, for
 * GAME_SOURCE_CENTER, in the center.
 */
int sdk_source_tiles(const struct game *game, int source, int color) LINK_NAME(sdk_source_tiles);

/* Returns how many tiles of a color a seat has: in its hand or, once it has passed, on its corners.
 */
int sdk_seat_tiles(const struct game *game, int seat, int color) LINK_NAME(sdk_seat_tiles);

/* What an action changes at once, for the seat that acts. */
struct sdk_gain {
    int points;      /* change of its score, with final points if the action ends the game */
    int bonus_tiles; /* bonus tiles that it may then take, 0..3 */
    int tiles;       /* tiles that it then has (sdk_seat_tiles of all colors) */
};

/* Returns what a legal action gives now. Playing an illegal one is undefined, as with game_play. */
struct sdk_gain sdk_gain(const struct game *game, struct action action) LINK_NAME(sdk_gain);

/*
 * A policy: returns a legal action of the seat to act. The game is not over. self is whatever the
 * caller of sdk_play_out passed.
 */
typedef struct action sdk_policy_fn(void *self, const struct game *game);

/*
 * The policy of the bundled bot greedy: the most points now, a bonus tile counted as 4; of equals
 * the action that leaves the most tiles, then the first. Ignores self, which may be NULL.
 */
struct action sdk_greedy(void *self, const struct game *game) LINK_NAME(sdk_greedy);

/* ---- the policy of the bundled bot steady, and what it expects ---- */

enum {
    SDK_POINT = 65536, /* units of a value per point */
    SDK_WEIGHTS_COUNT = 305388,
};

/*
 * Weights that were learned from games of steady against itself, for one number of players and one
 * side of the board. 1.2 MB, so keep it static. What the numbers mean may change.
 */
struct sdk_weights {
    int32_t numbers[SDK_WEIGHTS_COUNT];
};

/*
 * Fills in the weights for a number of players and a side of the board, those of the hello, say.
 * Takes some milliseconds.
 */
void sdk_weights_load(struct sdk_weights *weights, int player_count, enum board_side side)
    LINK_NAME(sdk_weights_load);

/*
 * The policy of the bundled bot steady: the draft after which the seat's lead in sdk_value is
 * largest, or the first action of the best plan for its placements. self is the struct sdk_weights
 * for the game's number of players and side.
 */
struct action sdk_steady(void *self, const struct game *game) LINK_NAME(sdk_steady);

/*
 * Returns the points that a seat can expect to have at the end of the game, in units of 1 /
 * SDK_POINT: by weights alone in the draft phase and for a seat that has passed (about 1 us); by a
 * plan of its placements while it still places (about 50 us); its score once the game is over.
 */
int32_t sdk_value(const struct sdk_weights *weights, const struct game *game, int seat)
    LINK_NAME(sdk_value);

/*
 * Plays the game to its end by a policy for all seats. Returns the number of decisions. If the
 * policy returns an illegal action, stops there: the game is not over (game_is_over).
 */
size_t sdk_play_out(struct game *game, sdk_policy_fn *policy_fn, void *self)
    LINK_NAME(sdk_play_out);

PUBLIC_END

#endif
