/*
 * The player board, both sides of it: what a space costs, which color a star is, where
 * the bonus features lie, what a finished star is worth. Tables and arithmetic on sets
 * of spaces (byte s is star s, bit p position p); no state. rules.md section 2.
 */
#ifndef ENGINE_BOARD_H
#define ENGINE_BOARD_H

#include <stdint.h>

#include "engine/public.h"
#include "engine/state.h"

PUBLIC_BEGIN

enum board_limits {
    BOARD_FEATURES = 18,      /* pillars 0..5, statues 6..11, windows 12..17 */
    BOARD_REWARDED_COSTS = 4, /* covering every space of cost 1, 2, 3 or 4 earns points */
    BOARD_STAR_FULL = 0x3f,
    BOARD_ALL_COLORS = 0x3f,
};

/* A bonus feature: the spaces it touches and the tiles they earn when all are filled. */
struct board_feature {
    uint64_t spaces;
    int tiles;
};

extern const struct board_feature board_features[BOARD_FEATURES];

/* What an outer star's color is on the colored side, by star. */
extern const uint8_t board_star_colors[GAME_STARS - 1];

/* What a space costs, in tiles. */
extern const uint8_t board_costs[2][GAME_STARS][GAME_SPACES];

/* The set of one space. */
static inline uint64_t board_space(int star, int position)
{
    return UINT64_C(1) << (8 * star + position);
}

/* The filled positions of one star, a bit each. */
static inline unsigned board_star(uint64_t filled, int star)
{
    return (unsigned)(filled >> (8 * star)) & 0xff;
}

/* How many filled spaces adjoin around the ring of six, this filled position among them. */
int board_run(unsigned star_filled, int position);

/* Bonus tiles earned by filling one space, which is among the filled ones: 0..3. */
int board_bonus(uint64_t filled, int star, int position);

/* The colors each star of an empty board takes: a byte a star, a bit a color. */
uint64_t board_takes(enum board_side side);

/*
 * Puts a tile on a space that is empty and takes its color: marks it as filled and says
 * what the star takes from now on. No tiles are paid and no points are given.
 */
void board_fill(struct game_seat *seat, enum board_side side, int star, int position, int color);

/* Points at the end of the game for one star, 0 unless it is finished. */
int board_star_points(const struct game_seat *seat, int star);

/* Points at the end of the game for one cost (1..BOARD_REWARDED_COSTS), 0 unless every space of
   it is covered. */
int board_cost_points(const struct game_seat *seat, enum board_side side, int cost);

/* Points at the end of the game for finished stars and for covered costs. */
int board_final_points(const struct game_seat *seat, enum board_side side);

PUBLIC_END

#endif
