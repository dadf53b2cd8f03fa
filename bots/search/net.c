/* SPDX-License-Identifier: MIT */
#include "bots/search/net.h"

#include <assert.h>
#include <string.h>

#include "engine/board.h"
#include "engine/tiles.h"
#include "sdk/steady/include_file.h"

struct net_view net_view_of(const struct game *game, int seat, const struct plan *plan,
                            int32_t linear)
{
    return (struct net_view){.seat = &game->seats[seat],
                             .plan = plan,
                             .linear = linear,
                             .supply = game->supply,
                             .bag = game->bag,
                             .is_start = game->start == seat};
}

/* Lists inputs one by one. */
struct lister {
    struct net_inputs *inputs;
    int next; /* index of the next input */
};

static void put(struct lister *lister, int value)
{
    struct net_inputs *inputs = lister->inputs;

    if (value != 0) {
        inputs->index[inputs->count] = (uint16_t)lister->next;
        inputs->value[inputs->count++] = (int16_t)value;
    }
    lister->next++;
}

/* One of `count` inputs is 1. */
static void put_one_of(struct lister *lister, int number, int count)
{
    struct net_inputs *inputs = lister->inputs;
    int limited = number < 0 ? 0 : number < count ? number : count - 1;

    inputs->index[inputs->count] = (uint16_t)(lister->next + limited);
    inputs->value[inputs->count++] = 1;
    lister->next += count;
}

/* Each input is 1 that stands for no more than `number`. */
static void put_up_to(struct lister *lister, int number, int first, int step, int count)
{
    for (int i = 0; i < count; i++)
        put(lister, number >= first + i * step);
}

static void put_tiles_up_to(struct lister *lister, uint64_t tiles, int first, int count)
{
    for (int color = 0; color < GAME_COLORS; color++)
        put_up_to(lister, tiles_of(tiles, color), first, 1, count);
}

static void put_spaces(struct lister *lister, uint64_t spaces)
{
    for (int star = 0; star < GAME_STARS; star++)
        for (int position = 0; position < GAME_SPACES; position++)
            put(lister, (int)(board_star(spaces, star) >> position & 1));
}

/* What a plan fills: spaces of each star, around each pillar, around each statue. */
struct filled {
    int stars[GAME_STARS];
    int features[2 * 6];
};

static struct filled count_filled(uint64_t spaces)
{
    struct filled filled;

    for (int star = 0; star < GAME_STARS; star++)
        filled.stars[star] = __builtin_popcount(board_star(spaces, star));
    for (int i = 0; i < 12; i++)
        filled.features[i] = __builtin_popcountll(spaces & board_features[i].spaces);
    return filled;
}

/* Colors on the center star. */
static void put_center(struct lister *lister, const struct game_seat *seat)
{
    unsigned colors = 0;

    for (unsigned left = board_star(seat->filled, GAME_STAR_CENTER); left; left &= left - 1)
        colors |= 1u << (seat->colors[GAME_STAR_CENTER] >> (4 * __builtin_ctz(left)) & 0xf);
    for (int color = 0; color < GAME_COLORS; color++)
        put(lister, (int)(colors >> color & 1));
}

/* Spaces of the rewarded costs, and the tiles that are missing for the first three and for all. */
static void put_costs(struct lister *lister, uint64_t spaces)
{
    int missing = 0;

    for (int i = 0; i < BOARD_REWARDED_COSTS; i++)
        put_one_of(lister, __builtin_popcountll(spaces & board_cost_spaces[BOARD_COLORED][i]), 8);
    for (int i = 0; i < BOARD_REWARDED_COSTS; i++) {
        uint64_t open = board_cost_spaces[BOARD_COLORED][i] & ~spaces;

        missing += (i + 1) * __builtin_popcountll(open);
        if (i == BOARD_REWARDED_COSTS - 2)
            put_up_to(lister, missing, 1, 2, 8);
    }
    put_up_to(lister, missing, 4, 4, 10);
}

/* Kept tiles of the colors of stars that are less, or at least, filled to four. */
static void put_kept(struct lister *lister, const struct filled *filled, uint64_t tiles)
{
    for (int is_far = 0; is_far < 2; is_far++)
        for (int star = 0; star < GAME_STAR_CENTER; star++)
            put(lister, (filled->stars[star] >= 4) == is_far
                            ? tiles_of(tiles, board_star_colors[star])
                            : 0);
}

static void list_own(struct lister *lister, const struct net_view *view,
                     const struct filled *filled)
{
    const struct game_seat *seat = view->seat, *after = &view->plan->seat;
    uint64_t tiles = seat->tiles;

    put(lister, 1);
    put_spaces(lister, after->filled);
    put_spaces(lister, after->filled & ~seat->filled);
    put_center(lister, after);
    for (int i = 0; i < 12; i++)
        put_one_of(lister, filled->features[i], 5);
    for (int star = 0; star < GAME_STARS; star++)
        put_one_of(lister, filled->stars[star], 7);
    put_costs(lister, after->filled);
    put_kept(lister, filled, after->tiles);
    put_tiles_up_to(lister, after->tiles, 1, 2);
    put_tiles_up_to(lister, tiles, 1, 6);
    put_up_to(lister, tiles_total(tiles), 4, 1, 16);
    put(lister, (view->plan->worth - view->linear) / (VALUE_POINT / 4));
    put(lister, (view->plan->worth - VALUE_POINT * seat->score) / (VALUE_POINT / 2));
    put(lister, after->score - seat->score);
    put_tiles_up_to(lister, view->supply, 1, 3);
    for (int color = 0; color < GAME_COLORS; color++)
        put(lister, tiles_of(view->bag, color));
    put(lister, view->is_start);
}

static void list_other(struct lister *lister, const struct net_view *view,
                       const struct filled *filled)
{
    for (int star = 0; star < GAME_STARS; star++)
        put(lister, filled->stars[star]);
    for (int i = 0; i < 12; i++)
        put(lister, filled->features[i] >= 3);
    for (int color = 0; color < GAME_COLORS; color++) {
        put(lister, tiles_of(view->plan->seat.tiles, color));
        put(lister, tiles_of(view->seat->tiles, color));
    }
    put(lister, tiles_total(view->seat->tiles) - 11);
}

void net_list(const struct net_view *view, struct net_inputs *inputs)
{
    struct filled filled = count_filled(view->plan->seat.filled);
    struct lister lister = {.inputs = inputs};

    inputs->count = 0;
    list_own(&lister, view, &filled);
    assert(lister.next == NET_OWN);
    inputs->own_count = inputs->count;
    list_other(&lister, view, &filled);
    assert(lister.next == NET_INPUTS);
}

int32_t net_base(const struct net_view *view)
{
    int64_t more = view->plan->worth - view->linear;

    return view->linear + (int32_t)(more * NET_PLAN_PERCENT / 100);
}

static void add(const struct net *net, const struct net_inputs *inputs, int first, int end,
                int32_t sums[static NET_COLUMNS])
{
    for (int i = first; i < end; i++) {
        const int16_t *weights = net->weights[inputs->index[i]];
        int32_t value = inputs->value[i];

        for (int column = 0; column < NET_COLUMNS; column++)
            sums[column] += value * weights[column];
    }
}

void net_halve(const struct net *net, const struct net_view *view, struct net_half *half)
{
    struct net_inputs inputs;

    net_list(view, &inputs);
    memset(half, 0, sizeof *half);
    add(net, &inputs, 0, inputs.own_count, half->own);
    add(net, &inputs, inputs.own_count, inputs.count, half->other);
    half->base = net_base(view) - VALUE_POINT * view->seat->score;
}

int32_t net_worth(const struct net *net, const struct net_half *own, const struct net_half *other)
{
    int64_t sum = (int64_t)(own->own[NET_LINE] + other->other[NET_LINE]) * NET_UNIT;

    for (int column = 0; column < NET_LINE; column++) {
        int32_t input = own->own[column] + other->other[column];

        sum += (int64_t)(input > 0 ? input : 0) * net->outputs[column];
    }
    return own->base + (int32_t)(sum / (NET_UNIT * NET_UNIT / VALUE_POINT));
}

INCLUDE_FILE(net_file, NET_FILE);
extern const struct net net_file[], net_file_end[];

const struct net *net_load(int player_count, enum board_side side)
{
    bool has_nets = player_count == 2 && side == BOARD_COLORED;

    return has_nets && net_file_end - net_file == GAME_ROUNDS ? net_file : NULL;
}
