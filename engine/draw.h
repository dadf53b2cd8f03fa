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

/*
 * Writes u(stream, first), u(stream, first + 1), ...: count of them, and up to
 * DRAW_BATCH - 1 more behind them, for which there must be room.
 */
void draw_numbers(const uint8_t seed[static GAME_SEED_BYTES], uint32_t stream, uint32_t first,
                  size_t count, uint64_t *numbers);

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
