/* SPDX-License-Identifier: MIT */
/* Draws tiles from the bag for the supply and the displays. See docs/rules.md, sections 6 and 8. */
#include "engine/turn.h"

#include <string.h>

#include "engine/draw.h"
#include "engine/fast.h"
#include "engine/tiles.h"

/* SIMD vectors of two words; only the first word is used. */
typedef int8_t totals __attribute__((vector_size(16)));
typedef uint64_t pair __attribute__((vector_size(16)));

/*
 * The bag while tiles are drawn from it. Byte c of `below` is the number of tiles of colors 0 to c,
 * minus DRAW_BIAS; bytes 6 and 7 count all tiles. The tile at an index has the first color whose
 * byte exceeds the index; drawing it lowers the bytes of this and all higher colors by 1. A SIMD
 * comparison gives -1 for exactly these bytes, so one comparison and one addition draw a tile.
 */
struct bag {
    totals below;
    uint32_t left;        /* tiles in the bag */
    const uint64_t *next; /* next index from draw_places; a vector holds two indexes, but a draw
                             uses only one */
};

#define TOTALS_BIAS (DRAW_BIAS * UINT64_C(0x0101010101010101))

static inline void bag_fill(struct bag *bag, uint64_t tiles)
{
    uint64_t word = tiles_totals(tiles);

    bag->below = (totals)(pair){word ^ TOTALS_BIAS};
    bag->left = (uint32_t)(word >> 56);
}

static inline uint64_t bag_tiles(const struct bag *bag)
{
    return tiles_from_totals(((pair)bag->below)[0] ^ TOTALS_BIAS);
}

/* Draws `count` tiles from a bag with at least so many. */
static inline uint64_t bag_draw(struct bag *bag, uint32_t count)
{
    totals before = bag->below;
    pair drawn;

    for (uint32_t i = 0; i < count; i++) {
        totals place;

        memcpy(&place, bag->next + i, sizeof place);
        bag->below += (totals)(bag->below > place);
    }
    bag->left -= count;
    bag->next += count;
    drawn = (pair)(before - bag->below);
    drawn -= drawn << 8; /* computes tiles_from_totals for two words at once */
    return drawn[0];
}

static inline uint32_t lesser(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/*
 * Draws `count` tiles, and refills the bag from the tower if necessary. Draws fewer only if bag and
 * tower together have fewer.
 */
static inline uint64_t draw_tiles(struct game *game, struct bag *bag, uint32_t count)
{
    uint64_t drawn;

    if (bag->left >= count)
        return bag_draw(bag, count);
    count -= bag->left;
    drawn = bag_draw(bag, bag->left);
    bag_fill(bag, game->tower);
    game->tower = 0;
    return drawn + bag_draw(bag, lesser(count, bag->left));
}

/*
 * Sets *bag from the game, and writes to `places` the indexes of the next `count` draws, also of
 * draws after the bag was refilled from the tower.
 */
static inline void bag_open(struct bag *bag, const struct game *game, uint32_t stream,
                            uint32_t first, uint32_t count, uint64_t *places)
{
    uint32_t now;

    bag_fill(bag, game->bag);
    bag->next = places;
    now = lesser(count, bag->left);
    draw_places(game->seed, stream, first, bag->left, now, places);
    if (now < count) {
        uint32_t left = (uint32_t)tiles_total(game->tower);

        draw_places(game->seed, stream, first + now, left, lesser(count - now, left), places + now);
    }
}

/* Fills the supply. Returns the added tiles. */
static inline uint64_t fill_supply(struct game *game)
{
    uint32_t count = GAME_SUPPLY_TILES - (uint32_t)tiles_total(game->supply);
    uint64_t places[GAME_SUPPLY_TILES + DRAW_BATCH];
    struct bag bag;
    uint64_t tiles;

    bag_open(&bag, game, DRAW_SUPPLY, game->supply_index, count, places);
    tiles = draw_tiles(game, &bag, count);
    game->bag = bag_tiles(&bag);
    game->supply_index += (uint32_t)(bag.next - places);
    return tiles;
}

FAST_TWICE(uint64_t, fill_supply, (struct game * game), (game))

void deal_supply(struct game *game)
{
    game->supply += fill_supply_twice(game);
}

/* Fills the displays. Returns the colors that each display offers, as in game.offers. */
static inline uint64_t fill_displays(struct game *game)
{
    uint32_t displays = 2 * (uint32_t)game->player_count + 1;
    int wild = game->round - 1;
    uint64_t places[GAME_DISPLAYS_MAX * GAME_DISPLAY_TILES + DRAW_BATCH];
    struct bag bag;
    uint64_t offers = 0;

    bag_open(&bag, game, game->round, 0, displays * GAME_DISPLAY_TILES, places);
    for (uint32_t source = 1; source <= displays; source++) {
        uint64_t tiles = draw_tiles(game, &bag, GAME_DISPLAY_TILES);

        game->sources[source] = tiles;
        offers |= (uint64_t)deal_offer(tiles, wild) << (GAME_COLORS * source);
    }
    game->bag = bag_tiles(&bag);
    return offers;
}

FAST_TWICE(uint64_t, fill_displays, (struct game * game), (game))

void deal_displays(struct game *game)
{
    game->offers = fill_displays_twice(game);
}
