/* SPDX-License-Identifier: MIT */
/*
 * Numbers of tiles in one word: byte c counts the tiles of color c; bytes 6 and 7 are 0. Whole
 * words can be added and subtracted, because no count exceeds GAME_TILES_PER_COLOR, which is far
 * below 128. Pure functions.
 */
#ifndef ENGINE_TILES_H
#define ENGINE_TILES_H

#include <stdbool.h>
#include <stdint.h>
#if defined(__SSE2__) && !defined(FAST_OFF)
#include <immintrin.h>
#endif

#include "engine/state.h"

#define TILES_EACH     UINT64_C(0x0000010101010101) /* one tile of every color */
#define TILES_HIGH_BIT UINT64_C(0x0000808080808080) /* top bit of each count, always 0 */

/* Returns one tile of a color. */
static inline uint64_t tiles_one(int color)
{
    return UINT64_C(1) << (8 * color);
}

/* Returns the number of tiles of one color. */
static inline int tiles_of(uint64_t tiles, int color)
{
    return (int)(tiles >> (8 * color) & 0xff);
}

/* Returns running totals: byte c counts the tiles of colors 0..c; bytes 6 and 7 count all tiles. */
static inline uint64_t tiles_totals(uint64_t tiles)
{
    return tiles * UINT64_C(0x0101010101010101);
}

/* The inverse of tiles_totals: returns the tiles from their running totals. */
static inline uint64_t tiles_from_totals(uint64_t totals)
{
    return totals - (totals << 8);
}

static inline int tiles_total(uint64_t tiles)
{
    return (int)(tiles_totals(tiles) >> 56);
}

/* Returns only the tiles of one color. */
static inline uint64_t tiles_only(uint64_t tiles, int color)
{
    return tiles & UINT64_C(0xff) << (8 * color);
}

/* True if tiles include all wanted tiles. `wanted` may be any word, even one that counts no tiles.
 */
static inline bool tiles_include(uint64_t tiles, uint64_t wanted)
{
    return (wanted & ~(TILES_EACH * 0x7f)) == 0 &&
           (((tiles | TILES_HIGH_BIT) - wanted) & TILES_HIGH_BIT) == TILES_HIGH_BIT;
}

/* Returns the set of colors with at least one tile, a bit per color. */
static inline unsigned tiles_colors(uint64_t tiles)
{
#if defined(__SSE2__) && !defined(FAST_OFF)
    return (unsigned)_mm_movemask_epi8(
        _mm_cmpgt_epi8(_mm_cvtsi64_si128((int64_t)tiles), _mm_setzero_si128()));
#else
    uint64_t marks = (tiles + TILES_EACH * 0x7f) & TILES_HIGH_BIT;

    /*
     * The product has bit 8c + 7 of marks at bit 55 + c, by one bit of the multiplier for each
     * color c.
     */
    return (unsigned)(marks * UINT64_C(0x0001020408102000) >> 55) & 0x3f;
#endif
}

#endif
