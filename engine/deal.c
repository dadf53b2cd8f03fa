#include "engine/deal.h"

#include "engine/draw.h"
#include "engine/tiles.h"

/* Draws one tile, the one that the number chooses, as a set of one; none if there is none. */
static uint64_t draw_tile(struct game *game, uint32_t stream, uint32_t index)
{
    uint32_t left;
    int color = 0;

    if (game->bag == 0) {
        game->bag = game->tower;
        game->tower = 0;
        if (game->bag == 0)
            return 0;
    }
    left = draw_below(draw_number(game->seed, stream, index), (uint32_t)tiles_total(game->bag));
    while (left >= (uint32_t)tiles_of(game->bag, color))
        left -= (uint32_t)tiles_of(game->bag, color++);
    game->bag -= tiles_one(color);
    return tiles_one(color);
}

void deal_supply(struct game *game)
{
    while (tiles_total(game->supply) < GAME_SUPPLY_TILES) {
        uint64_t tile = draw_tile(game, DRAW_SUPPLY, game->supply_index);

        if (tile == 0)
            return;
        game->supply += tile;
        game->supply_index++;
    }
}

unsigned deal_offer(uint64_t tiles, int wild)
{
    unsigned colors = tiles_colors(tiles);
    unsigned named = colors & ~(1u << wild);

    return named ? named : colors;
}

void deal_displays(struct game *game)
{
    int displays = 2 * game->player_count + 1;

    game->offers = 0;
    for (int display = 0; display < displays; display++) {
        uint64_t tiles = 0;

        for (int place = 0; place < GAME_DISPLAY_TILES; place++)
            tiles += draw_tile(game, game->round, (uint32_t)(GAME_DISPLAY_TILES * display + place));
        game->sources[1 + display] = tiles;
        game->offers |= (uint64_t)deal_offer(tiles, game->round - 1) << (6 * (1 + display));
    }
}
