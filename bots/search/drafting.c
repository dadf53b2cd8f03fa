/* SPDX-License-Identifier: MIT */
#include "bots/search/drafting.h"

#include <string.h>

#include "engine/board.h"
#include "engine/tiles.h"

/* What decides, for a seat, which weights the tiles of one color get. */
struct color_sums {
    int number;
    int fill;        /* number of filled spaces of the star that accepts only this color */
    int wanted_by;   /* number of stars that accept the color among others */
    int supplied;    /* tiles of the color in the supply */
    int bound_count; /* number of stars that accept only this color; their weights are in `masks`
                        and `wilds` */
    const int32_t *masks[GAME_STARS];
    const int32_t (*wilds[GAME_STARS])[DRAFTING_WILDS];
    int32_t mixed[DRAFTING_TILES]; /* sum of the weights of stars that accept several colors, by
                                      tiles of this color in the hand */
};

static inline int at_most(int number, int limit)
{
    return number < limit ? number : limit;
}

static void add_star(struct drafting_seat *prepared, struct color_sums colors[static GAME_COLORS],
                     const struct weights *weights, const struct outlook *outlook, int star)
{
    const struct game_seat *seat = outlook->seat;
    enum star_sort sort = star_sort_of(seat, outlook->side, star);
    bool is_center = star == GAME_STAR_CENTER;
    unsigned filled = board_star(seat->filled, star), takes = board_star(seat->takes, star);
    int fill = __builtin_popcount(filled);
    int row = outlook->side == BOARD_COLORED && !is_center ? star : (int)sort;
    const int32_t *masks =
        is_center ? weights->center_mask[row][filled] : weights->star_mask[row][filled];

    if (sort == STAR_EMPTY) {
        prepared->base += masks[0];
    } else if (sort == STAR_MIXED) {
        prepared->mixed_takes[prepared->mixed_count] = takes;
        prepared->mixed_weights[prepared->mixed_count++] = masks;
        for (int i = 0; i < GAME_COLORS; i++) {
            const int32_t *own =
                is_center ? weights->center_color[i][fill] : weights->mixed_color[i][fill];
            bool is_taken = takes >> i & 1;

            colors[i].wanted_by += is_taken;
            for (int tiles = 0; tiles < DRAFTING_TILES; tiles++)
                colors[i].mixed[tiles] += own[is_taken ? tiles : DRAFTING_TILES];
        }
    } else {
        struct color_sums *color = &colors[star_color_of(seat, outlook->side, star)];

        if (fill > color->fill)
            color->fill = fill;
        color->masks[color->bound_count] = masks;
        color->wilds[color->bound_count++] = weights->star_wild[color->number][fill];
    }
}

static int32_t sum_of_color(const struct weights *weights, const struct color_sums *color,
                            int tiles, int wilds, int there)
{
    int few = at_most(tiles, 3);
    int32_t sum = color->mixed[tiles];

    for (int i = 0; i < color->bound_count; i++)
        sum += color->masks[i][tiles] + color->wilds[i][tiles][wilds];
    sum += weights->supply[color->number][color->supplied][color->fill][few];
    sum += weights->table[color->number][there][color->fill][tiles];
    sum += weights->table_wanted[color->number][there][at_most(color->wanted_by, 3)][few];
    return sum;
}

static void prepare_seat(struct drafting_seat *prepared, const struct weights *weights,
                         const struct outlook *outlook)
{
    struct color_sums colors[GAME_COLORS] = {0};
    struct features board;

    prepared->base = 0;
    prepared->mixed_count = 0;
    features_list_board(outlook, &board);
    for (size_t i = 0; i < board.count; i++)
        prepared->base += ((const int32_t *)weights)[board.index[i]];
    for (int i = 0; i < GAME_COLORS; i++) {
        colors[i].number = i;
        colors[i].supplied = at_most(tiles_of(outlook->supply, i), 5);
    }
    for (int star = 0; star < GAME_STARS; star++)
        add_star(prepared, colors, weights, outlook, star);
    for (int i = 0; i < GAME_COLORS; i++) {
        prepared->fills[i] = colors[i].fill;
        prepared->base +=
            weights->bag[i][at_most((tiles_of(outlook->bag, i) + 1) / 2, 11)][colors[i].fill];
        for (int wilds = 0; wilds < DRAFTING_WILDS; wilds++)
            for (int there = 0; there < DRAFTING_THERE; there++)
                for (int tiles = 0; tiles < DRAFTING_TILES; tiles++)
                    prepared->colors[i][wilds][there][tiles] =
                        sum_of_color(weights, &colors[i], tiles, wilds, there);
    }
}

static bool is_prepared(const struct drafting_values *values, const struct weights *weights,
                        const struct game *game)
{
    if (values->weights != weights || values->supply != game->supply || values->bag != game->bag)
        return false;
    for (int seat = 0; seat < game->player_count; seat++)
        if (values->filled[seat] != game->seats[seat].filled ||
            memcmp(values->colors[seat], game->seats[seat].colors, sizeof values->colors[seat]) !=
                0)
            return false;
    return true;
}

bool drafting_prepare(struct drafting_values *values, const struct weights_set *set,
                      const struct game *game)
{
    const struct weights *weights = &set->of[game->round - 1][VALUE_DRAFT];

    if (is_prepared(values, weights, game))
        return false;
    values->weights = weights;
    values->supply = game->supply;
    values->bag = game->bag;
    for (int seat = 0; seat < game->player_count; seat++) {
        struct outlook outlook = outlook_of_draft(game, seat);

        values->filled[seat] = game->seats[seat].filled;
        memcpy(values->colors[seat], game->seats[seat].colors, sizeof values->colors[seat]);
        prepare_seat(&values->seats[seat], weights, &outlook);
    }
    return true;
}

uint64_t drafting_table(const struct game *game)
{
    uint64_t table = 0;

    for (int source = 0; source <= 2 * game->player_count + 1; source++)
        table += game->sources[source];
    return table;
}

int32_t drafting_worth(const struct drafting_values *values, const struct game *game, int seat,
                       uint64_t table, uint64_t groups)
{
    const struct drafting_seat *prepared = &values->seats[seat];
    const struct weights *weights = values->weights;
    uint64_t tiles = game->seats[seat].tiles;
    int wild = game->round - 1, next = wild + 1 < GAME_COLORS ? wild + 1 : wild;
    int wilds = at_most(tiles_of(tiles, wild), DRAFTING_WILDS - 1);
    int player_count = game->player_count;
    int until = seat - game->player + (seat < game->player ? player_count : 0);
    bool is_held = game->token != GAME_NOBODY;
    int holder = is_held ? game->token : game->start;
    int32_t sum = prepared->base + VALUE_POINT * game->seats[seat].score;

#pragma GCC unroll 6
    for (int color = 0; color < GAME_COLORS; color++) {
        int own = at_most(tiles_of(tiles, color), DRAFTING_TILES - 1);

        sum += prepared
                   ->colors[color][wilds][at_most(tiles_of(table, color), DRAFTING_THERE - 1)][own];
        sum += weights->group[until > 0][color][at_most(tiles_of(groups, color), 5)]
                             [prepared->fills[color]][own];
    }
    for (int i = 0; i < prepared->mixed_count; i++)
        sum += prepared->mixed_weights[i][__builtin_popcount(prepared->mixed_takes[i] &
                                                             tiles_colors(tiles))];
    holder += holder < seat ? player_count - seat : -seat;
    sum += weights->hand[at_most(tiles_total(tiles), 31)];
    sum += weights->wild[at_most(tiles_of(tiles, wild), 15)];
    sum += weights->next_wild[at_most(tiles_of(tiles, next), 15)];
    sum += weights->left[until][at_most(tiles_total(table), 39)];
    sum += weights->token[until][holder + (is_held ? 0 : 4)];
    return sum;
}
