#include "engine/deal.h"

#include "engine/draw.h"
#include "engine/tiles.h"

/*
 * Draws tiles, chosen by numbers of which *next is the first; moves *next on by as many as
 * were drawn. Fewer are drawn only when bag and tower are empty.
 *
 * In the loop, counts are running totals: byte c of below tells how many tiles of colors
 * 0 to c there are. Tile number n is of the first color whose total exceeds n, and taking
 * it away lowers the totals from that color on. Adding 127 - n to all bytes at once shows
 * these in the highest bits. No byte spills into the next: of the colors before the last
 * there are at most 110 tiles, and where n exceeds 127 no color has fewer than 18. Only
 * the last may spill out at the top, and it is always among those that exceed n.
 */
static inline uint64_t draw_tiles(struct game *game, const uint64_t **next, int count)
{
    uint64_t below = game->bag * TILES_EACH;
    uint64_t drawn = 0;
    int left = tiles_total(game->bag);

    for (; count > 0; count--) {
        uint64_t chosen;

        if (left == 0) {
            left = tiles_total(game->tower);
            below = game->tower * TILES_EACH;
            game->tower = 0;
            if (left == 0)
                break;
        }
        chosen = draw_below(*(*next)++, (uint32_t)left);
        chosen = (below + (127 - chosen) * TILES_EACH) >> 7 & TILES_EACH;
        chosen |= tiles_one(GAME_COLORS - 1);
        below -= chosen;
        drawn += chosen;
        left--;
    }
    game->bag = tiles_from_totals(below);
    return tiles_from_totals(drawn);
}

void deal_supply(struct game *game)
{
    int count = GAME_SUPPLY_TILES - tiles_total(game->supply);
    uint64_t numbers[GAME_SUPPLY_TILES + DRAW_BATCH];
    const uint64_t *next = numbers;

    if (count == 0)
        return;
    draw_numbers(game->seed, DRAW_SUPPLY, game->supply_index, (size_t)count, numbers);
    game->supply += draw_tiles(game, &next, count);
    game->supply_index += (uint32_t)(next - numbers);
}

void deal_displays(struct game *game)
{
    size_t displays = 2 * (size_t)game->player_count + 1;
    uint64_t numbers[GAME_DISPLAYS_MAX * GAME_DISPLAY_TILES + DRAW_BATCH];
    const uint64_t *next = numbers;

    draw_numbers(game->seed, game->round, 0, displays * GAME_DISPLAY_TILES, numbers);
    game->offers = 0;
    for (size_t display = 0; display < displays; display++) {
        uint64_t tiles = draw_tiles(game, &next, GAME_DISPLAY_TILES);

        game->sources[1 + display] = tiles;
        game->offers |= (uint64_t)deal_offer(tiles, game->round - 1) << (6 * (1 + display));
    }
}
