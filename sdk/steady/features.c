/* SPDX-License-Identifier: MIT */
#include "sdk/steady/value.h"

#include "engine/board.h"
#include "engine/tiles.h"

_Static_assert(WEIGHTS_COUNT <= UINT16_MAX, "each index of a feature must fit in 16 bits");

#define ADD(place)                                                                                 \
    (features->index[features->count++] =                                                          \
         (uint16_t)(offsetof(struct weights, place) / sizeof(int32_t)))

/* Facts about a seat's stars that several features use. */
struct stars {
    int wild;              /* wild color */
    int fill[GAME_COLORS]; /* by color: number of filled spaces of the star that accepts only this
                              color; 0: no such star */
    int wanted_by[GAME_COLORS]; /* by color: number of stars that accept the color among others */
};

static inline int at_most(int number, int limit)
{
    return number < limit ? number : limit;
}

/* Returns the color that is wild when the seat uses its hand, or none after the last round. */
static int wild_of(const struct outlook *outlook)
{
    int wild = outlook->kind == VALUE_END ? outlook->round : outlook->round - 1;

    return wild < GAME_ROUNDS ? wild : GAME_ROUNDS - 1;
}

enum star_sort star_sort_of(const struct game_seat *seat, enum board_side side, int star)
{
    unsigned filled = board_star(seat->filled, star);
    unsigned takes = board_star(seat->takes, star);

    if (side == BOARD_COLORED)
        return star == GAME_STAR_CENTER ? STAR_MIXED : STAR_BOUND;
    if (filled == 0)
        return STAR_EMPTY;
    if ((filled & (filled - 1)) == 0)
        return STAR_ONE;
    /*
     * A star with five different colors also accepts a single color, but no tile on it has that
     * color.
     */
    if (takes != 0 && (takes & (takes - 1)) == 0 &&
        (seat->colors[star] >> (4 * __builtin_ctz(filled)) & 0xf) == (unsigned)__builtin_ctz(takes))
        return STAR_BOUND;
    return STAR_MIXED;
}

int star_color_of(const struct game_seat *seat, enum board_side side, int star)
{
    if (side == BOARD_COLORED)
        return board_star_colors[star];
    return (int)(seat->colors[star] >> (4 * __builtin_ctz(board_star(seat->filled, star))) & 0xf);
}

/*
 * Lists the features of a star that accepts several colors: one for the number of these colors in
 * the hand, and one for each color.
 */
static int list_mixed(const struct outlook *outlook, int star, struct stars *stars,
                      struct features *features)
{
    const struct game_seat *seat = outlook->seat;
    unsigned takes = board_star(seat->takes, star);
    int fill = __builtin_popcount(board_star(seat->filled, star));

    for (int color = 0; color < GAME_COLORS; color++) {
        bool is_taken = takes >> color & 1;
        int tiles = is_taken ? at_most(tiles_of(seat->tiles, color), 7) : 8;

        stars->wanted_by[color] += is_taken;
        if (star == GAME_STAR_CENTER)
            ADD(center_color[color][fill][tiles]);
        else
            ADD(mixed_color[color][fill][tiles]);
    }
    return __builtin_popcount(takes & tiles_colors(seat->tiles));
}

static void list_star(const struct outlook *outlook, int star, struct stars *stars,
                      struct features *features)
{
    const struct game_seat *seat = outlook->seat;
    enum star_sort sort = star_sort_of(seat, outlook->side, star);
    unsigned filled = board_star(seat->filled, star);
    int fill = __builtin_popcount(filled);
    int row = outlook->side == BOARD_COLORED && star != GAME_STAR_CENTER ? star : (int)sort;
    int tiles = 0;

    if (sort == STAR_MIXED) {
        tiles = list_mixed(outlook, star, stars, features);
    } else if (sort != STAR_EMPTY) {
        int color = star_color_of(seat, outlook->side, star);

        tiles = at_most(tiles_of(seat->tiles, color), 7);
        if (fill > stars->fill[color])
            stars->fill[color] = fill;
        ADD(star_wild[color][fill][tiles][at_most(tiles_of(seat->tiles, stars->wild), 5)]);
    }
    if (star == GAME_STAR_CENTER)
        ADD(center_mask[row][filled][tiles]);
    else
        ADD(star_mask[row][filled][tiles]);
}

/*
 * Returns the filled spaces around a pillar, a bit each: two spaces of an outer star, two of the
 * center star.
 */
static unsigned pillar_of(uint64_t filled, int i)
{
    unsigned outer = board_star(filled, i) >> 1 & 3;
    unsigned center = board_star(filled, GAME_STAR_CENTER);

    return outer |
           (i == 0 ? (center & 1) << 2 | (center & 0x20) >> 2 : (center >> (i - 1) & 3) << 2);
}

/*
 * Returns the filled spaces around a statue, a bit each: two of an outer star and two of the next
 * outer star; the spaces of star 0 come first.
 */
static unsigned statue_of(uint64_t filled, int i)
{
    unsigned own = board_star(filled, i) & 3;
    unsigned next = board_star(filled, i < 5 ? i + 1 : 0) >> 2 & 3;

    return i < 5 ? own | next << 2 : next | own << 2;
}

void features_list_board(const struct outlook *outlook, struct features *features)
{
    uint64_t filled = outlook->seat->filled;

    features->count = 0;
#pragma GCC unroll 6
    for (int i = 0; i < 6; i++) {
        ADD(pillar[i][pillar_of(filled, i)]);
        ADD(statue[i][statue_of(filled, i)]);
    }
    for (int i = 0; i < 4; i++)
        ADD(cost[i][__builtin_popcountll(filled & board_cost_spaces[outlook->side][i])]);
}

static void list_hand(const struct outlook *outlook, const struct stars *stars,
                      struct features *features)
{
    uint64_t tiles = outlook->seat->tiles;
    int next = stars->wild + 1 < GAME_COLORS ? stars->wild + 1 : stars->wild;

    ADD(hand[at_most(tiles_total(tiles), 31)]);
    ADD(wild[at_most(tiles_of(tiles, stars->wild), 15)]);
    ADD(next_wild[at_most(tiles_of(tiles, next), 15)]);
}

static void list_table(const struct outlook *outlook, const struct stars *stars,
                       struct features *features)
{
    uint64_t tiles = outlook->seat->tiles;

    ADD(left[outlook->until_turn][at_most(tiles_total(outlook->table), 39)]);
    ADD(token[outlook->until_turn][outlook->holder]);
    for (int color = 0; color < GAME_COLORS; color++) {
        int there = at_most(tiles_of(outlook->table, color), 6);
        int own = tiles_of(tiles, color);

        ADD(table[color][there][stars->fill[color]][at_most(own, 7)]);
        ADD(group[outlook->until_turn > 0][color][at_most(tiles_of(outlook->groups, color), 5)]
                 [stars->fill[color]][at_most(own, 7)]);
        ADD(table_wanted[color][there][at_most(stars->wanted_by[color], 3)][at_most(own, 3)]);
    }
}

void features_list(const struct outlook *outlook, struct features *features)
{
    struct stars stars = {.wild = wild_of(outlook)};

    features_list_board(outlook, features);
    for (int star = 0; star < GAME_STARS; star++)
        list_star(outlook, star, &stars, features);
    list_hand(outlook, &stars, features);
    for (int color = 0; color < GAME_COLORS; color++) {
        int own = at_most(tiles_of(outlook->seat->tiles, color), 3);

        ADD(supply[color][at_most(tiles_of(outlook->supply, color), 5)][stars.fill[color]][own]);
        ADD(bag[color][at_most((tiles_of(outlook->bag, color) + 1) / 2, 11)][stars.fill[color]]);
    }
    switch (outlook->kind) {
    case VALUE_DRAFT:
        list_table(outlook, &stars, features);
        break;
    case VALUE_PLACE:
        ADD(bonus[outlook->bonus]);
        ADD(start[outlook->is_start]);
        break;
    case VALUE_END:
        ADD(start[outlook->is_start]);
        break;
    case VALUE_KINDS:
        break;
    }
}

uint64_t outlook_groups(const struct game *game)
{
    uint64_t groups = 0;

    for (int source = 0; source <= 2 * game->player_count + 1; source++) {
        uint64_t tiles = game->sources[source];
        /* The top bit of each byte says that the source has no fewer tiles of the color. */
        uint64_t larger = ((tiles | TILES_HIGH_BIT) - groups) & TILES_HIGH_BIT;
        uint64_t bytes = larger | (larger - (larger >> 7));

        groups = (tiles & bytes) | (groups & ~bytes);
    }
    return groups;
}

void outlook_turn_to(struct outlook *outlook, const struct game *game, int seat)
{
    int player_count = game->player_count;
    bool is_held = game->token != GAME_NOBODY;
    int holder = is_held ? game->token : game->start;

    outlook->seat = &game->seats[seat];
    outlook->until_turn = (seat - game->player + player_count) % player_count;
    outlook->holder = (holder - seat + player_count) % player_count + (is_held ? 0 : 4);
}

struct outlook outlook_of_draft(const struct game *game, int seat)
{
    struct outlook outlook = {
        .side = (enum board_side)game->board,
        .kind = VALUE_DRAFT,
        .round = game->round,
        .supply = game->supply,
        .bag = game->bag,
        .groups = outlook_groups(game),
    };

    for (int source = 0; source <= 2 * game->player_count + 1; source++)
        outlook.table += game->sources[source];
    outlook_turn_to(&outlook, game, seat);
    return outlook;
}

struct outlook outlook_of_place(const struct game *game, const struct game_seat *seat_state,
                                int seat, enum value_kind kind, int bonus)
{
    return (struct outlook){
        .seat = seat_state,
        .side = (enum board_side)game->board,
        .kind = kind,
        .round = game->round,
        .supply = game->supply,
        .bag = game->bag,
        .bonus = bonus,
        .is_start = game->start == seat,
    };
}
