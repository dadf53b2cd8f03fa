/*
 * The randomness of a match: SipHash-2-4 keyed with the match's seed. Pure; keeps
 * no state. Who draws what from which stream is rules.md section 8.
 */
#ifndef ENGINE_DRAW_H
#define ENGINE_DRAW_H

#include <stddef.h>
#include <stdint.h>

#include "engine/state.h"

/* Streams of draws under one seed. Displays of round r use stream r, 1..6. */
enum draw_stream {
    DRAW_SUPPLY = 0,   /* the supply's tiles, over the whole match */
    DRAW_STAND_IN = 7, /* the arena's choice for a bot that is out, by turn */
    DRAW_SERIES = 8,   /* the seeds of further matches of one run */
    DRAW_BOT = 9,      /* what a bot may use for its own choices, by seat */
};

/* SipHash-2-4 of size bytes under a 16-byte key. */
uint64_t draw_siphash(const uint8_t key[static GAME_SEED_BYTES], const uint8_t *bytes, size_t size);

/* u(stream, index): 64 bits that nobody without the seed can tell from chance. */
uint64_t draw_number(const uint8_t seed[static GAME_SEED_BYTES], uint32_t stream, uint32_t index);

enum {
    DRAW_BATCH = 4, /* numbers made at once */
};

#define DRAW_BIAS 0x80 /* taken from a place, so that one compares as a signed byte */

/*
 * The tiles that u(stream, first), u(stream, first + 1), ... draw from a bag of left tiles:
 * for each its place among those still there, counted from 0 in color order, less DRAW_BIAS,
 * in every byte of a word. Writes count of them, at most left, and up to DRAW_BATCH - 1
 * words more behind them, for which there must be room.
 */
void draw_places(const uint8_t seed[static GAME_SEED_BYTES], uint32_t stream, uint32_t first,
                 uint32_t left, uint32_t count, uint64_t *places);

/* The number below count (at least 1) that those 64 bits choose: (u >> 32) * count >> 32. */
static inline uint32_t draw_below(uint64_t number, uint32_t count)
{
    return (uint32_t)(((number >> 32) * count) >> 32);
}

/*
 * The next number of a small generator (splitmix64): for playouts and tests, where nobody
 * gains by foretelling it. The state may start as anything.
 */
static inline uint64_t draw_next(uint64_t *state)
{
    uint64_t number = *state += UINT64_C(0x9e3779b97f4a7c15);

    number = (number ^ number >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    number = (number ^ number >> 27) * UINT64_C(0x94d049bb133111eb);
    return number ^ number >> 31;
}

#endif
