/* SPDX-License-Identifier: MIT */
/*
 * Both sides of the player board: the cost of each space, the color of each star, the bonus
 * features, the points for a finished star. Tables and pure functions. A set of spaces is a word:
 * bit p of byte s is position p of star s. See docs/rules.md, section 2.
 */
#ifndef ENGINE_BOARD_H
#define ENGINE_BOARD_H

#include <stdint.h>

#include "engine/public.h"
#include "engine/state.h"

PUBLIC_BEGIN

enum board_limits {
    BOARD_FEATURES = 18,      /* number of features: pillars 0..5, statues 6..11, windows 12..17 */
    BOARD_REWARDED_COSTS = 4, /* highest cost whose spaces, once all are covered, earn points */
    BOARD_STAR_FULL = 0x3f,
    BOARD_ALL_COLORS = 0x3f,
};

/* A bonus feature: the spaces around it, and the tiles earned by filling all these spaces. */
struct board_feature {
    uint64_t spaces;
    int tiles;
};

extern const struct board_feature board_features[BOARD_FEATURES] LINK_NAME(board_features);

/* Color of each outer star on the colored side. */
extern const uint8_t board_star_colors[GAME_STARS - 1] LINK_NAME(board_star_colors);

/* Cost of each space in tiles, by enum board_side. */
extern const uint8_t board_costs[2][GAME_STARS][GAME_SPACES] LINK_NAME(board_costs);

/* The set of all spaces of each cost from 1 to BOARD_REWARDED_COSTS, by enum board_side. */
extern const uint64_t board_cost_spaces[2][BOARD_REWARDED_COSTS] LINK_NAME(board_cost_spaces);

/* Returns the set that contains one space. */
static inline uint64_t board_space(int star, int position)
{
    return UINT64_C(1) << (8 * star + position);
}

/* Returns the filled positions of one star, a bit per position. */
static inline unsigned board_star(uint64_t filled, int star)
{
    return (unsigned)(filled >> (8 * star)) & 0xff;
}

/*
 * Returns the number of adjacent filled spaces that include position, which is filled, in the ring
 * of six spaces.
 */
int board_run(unsigned star_filled, int position) LINK_NAME(board_run);

/*
 * Returns the number of bonus tiles (0..3) earned by filling a space that `filled` already
 * contains.
 */
int board_bonus(uint64_t filled, int star, int position) LINK_NAME(board_bonus);

/* Returns the colors that each star of an empty board accepts: a byte per star, a bit per color. */
uint64_t board_takes(enum board_side side) LINK_NAME(board_takes);

/*
 * Places a tile on an empty space that accepts its color: marks the space as filled and updates the
 * colors that the star accepts. Pays no tiles and gives no points.
 */
void board_fill(struct game_seat *seat, enum board_side side, int star, int position, int color)
    LINK_NAME(board_fill);

/* Returns the final points of one star, 0 unless it is finished. */
int board_star_points(const struct game_seat *seat, int star) LINK_NAME(board_star_points);

/*
 * Returns the final points for one cost (1..BOARD_REWARDED_COSTS), 0 unless every space of that
 * cost is covered.
 */
int board_cost_points(const struct game_seat *seat, enum board_side side, int cost)
    LINK_NAME(board_cost_points);

/* Returns the final points for all finished stars and covered costs. */
int board_final_points(const struct game_seat *seat, enum board_side side)
    LINK_NAME(board_final_points);

PUBLIC_END

#endif
