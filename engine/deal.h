/*
 * Deals tiles: draws them from the bag, which is refilled from the tower, to the displays and the
 * supply. rules.md sections 6 and 8.
 */
#ifndef ENGINE_DEAL_H
#define ENGINE_DEAL_H

#include "engine/tiles.h"

/* Fills the supply up to GAME_SUPPLY_TILES, or with all tiles of bag and tower. */
void deal_supply(struct game *game);

/* Fills the empty displays of a new round and sets game.offers. */
void deal_displays(struct game *game);

/* Returns the colors that may be drafted from a source with these tiles: a bit per color. */
static inline unsigned deal_offer(uint64_t tiles, int wild)
{
    unsigned colors = tiles_colors(tiles);
    unsigned named = colors & ~(1u << wild);

    return named ? named : colors;
}

#endif
