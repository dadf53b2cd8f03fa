/* SPDX-License-Identifier: MIT */
/*
 * The randomness of a match: SipHash-2-4 keyed with the match's seed, in several streams of
 * numbers. Pure; keeps no state. docs/rules.md, section 8, lists the streams and their uses.
 */
#ifndef ENGINE_DRAW_H
#define ENGINE_DRAW_H

#include <stddef.h>
#include <stdint.h>

#include "engine/public.h"
#include "engine/state.h"

/* Streams of random numbers from one seed. The displays of round r (1..6) use stream r. */
enum draw_stream {
    DRAW_SUPPLY = 0,   /* tiles for the supply, in all rounds; index: number of the draw */
    DRAW_STAND_IN = 7, /* the arena's moves for a bot that is out; index: number of the decision */
    DRAW_SERIES = 8,   /* seeds of the second and later matches of a run */
    DRAW_BOT = 9,      /* the seeds that bots get for their own choices; index: seat */
};

/* Returns the SipHash-2-4 of a byte string under a key. */
uint64_t draw_siphash(const uint8_t key[static GAME_SEED_BYTES], const uint8_t *bytes, size_t size)
    LINK_NAME(draw_siphash);

/* Returns u(stream, index): 64 bits that are indistinguishable from random without the seed. */
uint64_t draw_number(const uint8_t seed[static GAME_SEED_BYTES], uint32_t stream, uint32_t index)
    LINK_NAME(draw_number);

enum {
    DRAW_BATCH = 4, /* number of hashes computed in parallel */
};

#define DRAW_BIAS 0x80 /* subtracted from an index, so that signed bytes keep the order */

/*
 * Computes which tiles the numbers u(stream, first), u(stream, first + 1), ... draw from a bag of
 * `left` tiles. Writes a word per draw: each of its bytes is the tile's index among the remaining
 * tiles in color order, minus DRAW_BIAS. Writes `count` words (at most `left`), and up to
 * DRAW_BATCH - 1 unused words after them, for which `places` must have room, too.
 */
void draw_places(const uint8_t seed[static GAME_SEED_BYTES], uint32_t stream, uint32_t first,
                 uint32_t left, uint32_t count, uint64_t *places) LINK_NAME(draw_places);

/* Maps 64 random bits to a number below count, which is at least 1: (u >> 32) * count >> 32. */
static inline uint32_t draw_below(uint64_t number, uint32_t count)
{
    return (uint32_t)(((number >> 32) * count) >> 32);
}

/*
 * Returns the next number of a small generator (splitmix64) for playouts and tests, whose numbers
 * may be predictable. Any state will do at the start.
 */
static inline uint64_t draw_next(uint64_t *state)
{
    uint64_t number = *state += UINT64_C(0x9e3779b97f4a7c15);

    number = (number ^ number >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    number = (number ^ number >> 27) * UINT64_C(0x94d049bb133111eb);
    return number ^ number >> 31;
}

#endif
