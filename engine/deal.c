#include "engine/deal.h"

#include "engine/draw.h"
#include "engine/tiles.h"

/*
 * The bag while tiles are drawn from it. Counts are running totals: byte c of below tells
 * how many tiles of colors 0 to c there are, and 127 more. Tile number n is of the first
 * color whose total exceeds n, and taking it away lowers the totals from that color on.
 * Taking n from all bytes at once leaves the highest bit of these set. No byte spills into
 * the next: of the colors before the last there are at most 110 tiles, and where n exceeds
 * 127 no color has fewer than 18. Only the last may spill out at the top; its total falls
 * with every tile.
 */
struct bag {
    uint64_t below;
    uint32_t left;        /* tiles */
    const uint64_t *next; /* of the numbers that choose; one is used up by each tile */
};

#define TOTALS_NONE     (TILES_EACH * 127)
#define TOTALS_BUT_LAST (TILES_EACH - tiles_one(GAME_COLORS - 1))

static inline void bag_fill(struct bag *bag, uint64_t tiles)
{
    bag->below = tiles * TILES_EACH + TOTALS_NONE;
    bag->left = (uint32_t)tiles_total(tiles);
}

static inline uint64_t bag_tiles(const struct bag *bag)
{
    return tiles_from_totals(bag->below - TOTALS_NONE);
}

/* Draws tiles that are there. Returns running totals, too. */
static inline uint64_t bag_draw(struct bag *bag, uint32_t count)
{
    uint64_t before = bag->below;

    for (uint32_t i = 0; i < count; i++) {
        uint64_t number = draw_below(bag->next[i], bag->left - i);

        bag->below -= (bag->below - number * TILES_EACH) >> 7 & TOTALS_BUT_LAST;
    }
    bag->below -= count * tiles_one(GAME_COLORS - 1);
    bag->left -= count;
    bag->next += count;
    return before - bag->below;
}

/* Draws tiles; the tower refills the bag. Fewer are drawn only when both are empty. */
static inline uint64_t draw_tiles(struct game *game, struct bag *bag, uint32_t count)
{
    uint64_t drawn;

    if (bag->left >= count)
        return tiles_from_totals(bag_draw(bag, count));
    count -= bag->left;
    drawn = bag_draw(bag, bag->left);
    bag_fill(bag, game->tower);
    game->tower = 0;
    drawn += bag_draw(bag, count < bag->left ? count : bag->left);
    return tiles_from_totals(drawn);
}

void deal_supply(struct game *game)
{
    uint32_t count = GAME_SUPPLY_TILES - (uint32_t)tiles_total(game->supply);
    uint64_t numbers[GAME_SUPPLY_TILES + DRAW_BATCH];
    struct bag bag = {.next = numbers};

    if (count == 0)
        return;
    draw_numbers(game->seed, DRAW_SUPPLY, game->supply_index, count, numbers);
    bag_fill(&bag, game->bag);
    game->supply += draw_tiles(game, &bag, count);
    game->supply_index += (uint32_t)(bag.next - numbers);
    game->bag = bag_tiles(&bag);
}

void deal_displays(struct game *game)
{
    size_t displays = 2 * (size_t)game->player_count + 1;
    uint64_t numbers[GAME_DISPLAYS_MAX * GAME_DISPLAY_TILES + DRAW_BATCH];
    struct bag bag = {.next = numbers};

    draw_numbers(game->seed, game->round, 0, displays * GAME_DISPLAY_TILES, numbers);
    bag_fill(&bag, game->bag);
    game->offers = 0;
    for (size_t display = 0; display < displays; display++) {
        uint64_t tiles = draw_tiles(game, &bag, GAME_DISPLAY_TILES);

        game->sources[1 + display] = tiles;
        game->offers |= (uint64_t)deal_offer(tiles, game->round - 1) << (6 * (1 + display));
    }
    game->bag = bag_tiles(&bag);
}
