/* SPDX-License-Identifier: MIT */
#include "engine/board.h"

#define SPACE(star, position) (UINT64_C(1) << (8 * (star) + (position)))
#define NEXT(star)            (((star) + 1) % 6)
#define BEFORE(star)          (((star) + 5) % 6)

#define PILLAR(i)                                                                                  \
    {                                                                                              \
        SPACE(i, 1) | SPACE(i, 2) | SPACE(GAME_STAR_CENTER, BEFORE(i)) |                           \
            SPACE(GAME_STAR_CENTER, i),                                                            \
            1                                                                                      \
    }
#define STATUE(i)                                                                                  \
    {                                                                                              \
        SPACE(i, 0) | SPACE(i, 1) | SPACE(NEXT(i), 2) | SPACE(NEXT(i), 3), 2                       \
    }
#define WINDOW(i)                                                                                  \
    {                                                                                              \
        SPACE(i, 4) | SPACE(i, 5), 3                                                               \
    }

const struct board_feature board_features[BOARD_FEATURES] = {
    PILLAR(0), PILLAR(1), PILLAR(2), PILLAR(3), PILLAR(4), PILLAR(5), //
    STATUE(0), STATUE(1), STATUE(2), STATUE(3), STATUE(4), STATUE(5), //
    WINDOW(0), WINDOW(1), WINDOW(2), WINDOW(3), WINDOW(4), WINDOW(5),
};

const uint8_t board_star_colors[GAME_STARS - 1] = {
    COLOR_ORANGE, COLOR_RED, COLOR_BLUE, COLOR_YELLOW, COLOR_GREEN, COLOR_PURPLE,
};

#define ASCENDING                                                                                  \
    {                                                                                              \
        1, 2, 3, 4, 5, 6                                                                           \
    }
#define GRAY_OUTER                                                                                 \
    {                                                                                              \
        3, 2, 1, 4, 5, 6                                                                           \
    }

const uint8_t board_costs[2][GAME_STARS][GAME_SPACES] = {
    [BOARD_COLORED] = {ASCENDING, ASCENDING, ASCENDING, ASCENDING, ASCENDING, ASCENDING, ASCENDING},
    [BOARD_GRAY] = {GRAY_OUTER,
                    GRAY_OUTER,
                    GRAY_OUTER,
                    GRAY_OUTER,
                    GRAY_OUTER,
                    GRAY_OUTER,
                    {3, 3, 3, 3, 3, 3}},
};

/*
 * The two features that each space touches, as indexes into board_features; the index of a single
 * feature is there twice.
 */
#define OUTER_STAR(i)                                                                              \
    {                                                                                              \
        {6 + i, 6 + i}, {i, 6 + i}, {i, 6 + BEFORE(i)}, {6 + BEFORE(i), 6 + BEFORE(i)},            \
            {12 + i, 12 + i},                                                                      \
        {                                                                                          \
            12 + i, 12 + i                                                                         \
        }                                                                                          \
    }

static const uint8_t features_of[GAME_STARS][GAME_SPACES][2] = {
    OUTER_STAR(0),
    OUTER_STAR(1),
    OUTER_STAR(2),
    OUTER_STAR(3),
    OUTER_STAR(4),
    OUTER_STAR(5),
    {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 0}},
};

int board_run(unsigned star_filled, int position)
{
    /*
     * The ring three times side by side, so that adjacent spaces across its end are adjacent bits.
     */
    uint32_t ring = star_filled * 0x1041u;

    if (star_filled == BOARD_STAR_FULL)
        return GAME_SPACES;
    return __builtin_ctz(~(ring >> (6 + position))) + __builtin_clz(~(ring << (26 - position)));
}

int board_bonus(uint64_t filled, int star, int position)
{
    const uint8_t *touching = features_of[star][position];
    const struct board_feature *first = &board_features[touching[0]];
    const struct board_feature *second = &board_features[touching[1]];
    int tiles = 0;

    if ((filled & first->spaces) == first->spaces)
        tiles += first->tiles;
    if (second != first && (filled & second->spaces) == second->spaces)
        tiles += second->tiles;
    return tiles;
}

uint64_t board_takes(enum board_side side)
{
    uint64_t takes = (uint64_t)BOARD_ALL_COLORS << (8 * GAME_STAR_CENTER);

    for (int star = 0; star < GAME_STAR_CENTER; star++) {
        uint64_t colors = side == BOARD_GRAY ? BOARD_ALL_COLORS : 1u << board_star_colors[star];

        takes |= colors << (8 * star);
    }
    return takes;
}

/* Returns the set of colors that a star of the gray side accepts after a tile of `color`. */
static unsigned gray_takes(const struct game_seat *seat, int star, int color)
{
    unsigned held = board_star(seat->filled, star);
    unsigned takes = board_star(seat->takes, star);
    int first;

    if (held == 0)
        return BOARD_ALL_COLORS;
    first = (int)(seat->colors[star] >> (4 * __builtin_ctz(held)) & 0xf);
    if (first == color)
        return 1u << color;
    return takes & ~(1u << first | 1u << color);
}

void board_fill(struct game_seat *seat, enum board_side side, int star, int position, int color)
{
    if (side == BOARD_GRAY) {
        uint64_t takes = gray_takes(seat, star, color);

        seat->takes = (seat->takes & ~(UINT64_C(0xff) << (8 * star))) | takes << (8 * star);
    } else if (star == GAME_STAR_CENTER) {
        seat->takes &= ~(UINT64_C(1) << (8 * GAME_STAR_CENTER + color));
    }
    seat->filled |= board_space(star, position);
    seat->colors[star] |= (uint32_t)color << (4 * position);
}

/* Final points for a finished star whose tiles have one color, by color. */
static const uint8_t star_points[GAME_COLORS] = {20, 18, 17, 16, 15, 14};

enum {
    MIXED_STAR_POINTS = 12, /* final points for a finished star of six colors */
    COST_POINTS = 4,        /* points for covering all spaces of one cost, divided by the cost */
};

#define ON_OUTER(position) (UINT64_C(0x0000010101010101) << (position))
#define ON_ALL(position)   (UINT64_C(0x0001010101010101) << (position))
#define CENTER_STAR        (UINT64_C(0x3f) << (8 * GAME_STAR_CENTER))

const uint64_t board_cost_spaces[2][BOARD_REWARDED_COSTS] = {
    [BOARD_COLORED] = {ON_ALL(0), ON_ALL(1), ON_ALL(2), ON_ALL(3)},
    [BOARD_GRAY] = {ON_OUTER(2), ON_OUTER(1), ON_OUTER(0) | CENTER_STAR, ON_OUTER(3)},
};

int board_star_points(const struct game_seat *seat, int star)
{
    unsigned takes = board_star(seat->takes, star);

    if (board_star(seat->filled, star) != BOARD_STAR_FULL)
        return 0;
    /* takes of a full star: the color of a star of one color; empty for a star of six colors. */
    return takes ? star_points[__builtin_ctz(takes)] : MIXED_STAR_POINTS;
}

int board_cost_points(const struct game_seat *seat, enum board_side side, int cost)
{
    return (board_cost_spaces[side][cost - 1] & ~seat->filled) == 0 ? COST_POINTS * cost : 0;
}

int board_final_points(const struct game_seat *seat, enum board_side side)
{
    int points = 0;

    for (int star = 0; star < GAME_STARS; star++)
        points += board_star_points(seat, star);
    for (int cost = 1; cost <= BOARD_REWARDED_COSTS; cost++)
        points += board_cost_points(seat, side, cost);
    return points;
}
