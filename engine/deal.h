/*
 * Where tiles come from: drawn from the bag, which the tower refills, onto the displays
 * and into the supply. rules.md sections 6 and 8.
 */
#ifndef ENGINE_DEAL_H
#define ENGINE_DEAL_H

#include "engine/tiles.h"

/* Fills the supply up to GAME_SUPPLY_TILES, or with all that bag and tower hold. */
void deal_supply(struct game *game);

/* Fills the empty displays of a new round, and says what they offer. */
void deal_displays(struct game *game);

/* The colors that may be drafted where these tiles lie: a bit a color. */
static inline unsigned deal_offer(uint64_t tiles, int wild)
{
    unsigned colors = tiles_colors(tiles);
    unsigned named = colors & ~(1u << wild);

    return named ? named : colors;
}

#endif
