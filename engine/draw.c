/* SPDX-License-Identifier: MIT */
#include "engine/draw.h"

#include <string.h>

#if defined(__x86_64__) && !defined(FAST_OFF)
#include <immintrin.h>
#endif

#define EVERY_BYTE UINT64_C(0x0101010101010101)

static uint64_t rotate(uint64_t value, int bits)
{
    return (value << bits) | (value >> (64 - bits));
}

/* Applies one SipRound to the four state words of SipHash. */
static void mix(uint64_t state[static 4])
{
    state[0] += state[1];
    state[2] += state[3];
    state[1] = rotate(state[1], 13) ^ state[0];
    state[3] = rotate(state[3], 16) ^ state[2];
    state[0] = rotate(state[0], 32);
    state[2] += state[1];
    state[0] += state[3];
    state[1] = rotate(state[1], 17) ^ state[2];
    state[3] = rotate(state[3], 21) ^ state[0];
    state[2] = rotate(state[2], 32);
}

static uint64_t little_endian(const uint8_t *bytes, size_t size)
{
    uint64_t word = 0;

    for (size_t i = 0; i < size; i++)
        word |= (uint64_t)bytes[i] << (8 * i);
    return word;
}

/* Returns eight bytes as a little-endian word; compilers turn this into one load. */
static uint64_t little_endian_word(const uint8_t *bytes)
{
    return (uint64_t)bytes[0] | (uint64_t)bytes[1] << 8 | (uint64_t)bytes[2] << 16 |
           (uint64_t)bytes[3] << 24 | (uint64_t)bytes[4] << 32 | (uint64_t)bytes[5] << 40 |
           (uint64_t)bytes[6] << 48 | (uint64_t)bytes[7] << 56;
}

static void absorb(uint64_t state[static 4], uint64_t word)
{
    state[3] ^= word;
    mix(state);
    mix(state);
    state[0] ^= word;
}

static void seed_state(uint64_t state[static 4], const uint8_t key[static GAME_SEED_BYTES])
{
    uint64_t low = little_endian_word(key);
    uint64_t high = little_endian_word(key + 8);

    state[0] = low ^ 0x736f6d6570736575u;
    state[1] = high ^ 0x646f72616e646f6du;
    state[2] = low ^ 0x6c7967656e657261u;
    state[3] = high ^ 0x7465646279746573u;
}

static uint64_t finish(uint64_t state[static 4])
{
    state[2] ^= 0xff;
    for (int i = 0; i < 4; i++)
        mix(state);
    return state[0] ^ state[1] ^ state[2] ^ state[3];
}

uint64_t draw_siphash(const uint8_t key[static GAME_SEED_BYTES], const uint8_t *bytes, size_t size)
{
    uint64_t state[4];
    size_t whole = size - size % 8;

    seed_state(state, key);
    for (size_t i = 0; i < whole; i += 8)
        absorb(state, little_endian_word(bytes + i));
    absorb(state, little_endian(bytes + whole, size % 8) | (uint64_t)size << 56);
    return finish(state);
}

uint64_t draw_number(const uint8_t seed[static GAME_SEED_BYTES], uint32_t stream, uint32_t index)
{
    uint64_t state[4];

    seed_state(state, seed);
    absorb(state, (uint64_t)stream << 32 | index);
    absorb(state, (uint64_t)8 << 56);
    return finish(state);
}

#if defined(__x86_64__) && !defined(FAST_OFF)

/* Each of the four AVX2 lanes computes the hash of another byte string. */
typedef uint64_t lanes __attribute__((vector_size(8 * DRAW_BATCH)));
typedef uint32_t halves __attribute__((vector_size(8 * DRAW_BATCH)));
typedef uint8_t bytes __attribute__((vector_size(8 * DRAW_BATCH)));

#define ROTATE(lane, bits) ((lane) << (bits) | (lane) >> (64 - (bits)))
#define ROTATE_16(lane)                                                                            \
    ((lanes)__builtin_shufflevector((bytes)(lane), (bytes)(lane), 6, 7, 0, 1, 2, 3, 4, 5, 14, 15,  \
                                    8, 9, 10, 11, 12, 13, 22, 23, 16, 17, 18, 19, 20, 21, 30, 31,  \
                                    24, 25, 26, 27, 28, 29))
#define ROTATE_32(lane)                                                                            \
    ((lanes)__builtin_shufflevector((halves)(lane), (halves)(lane), 1, 0, 3, 2, 5, 4, 7, 6))

#define MIX_LANES(a, b, c, d)                                                                      \
    do {                                                                                           \
        a += b;                                                                                    \
        c += d;                                                                                    \
        b = ROTATE(b, 13) ^ a;                                                                     \
        d = ROTATE_16(d) ^ c;                                                                      \
        a = ROTATE_32(a);                                                                          \
        c += b;                                                                                    \
        a += d;                                                                                    \
        b = ROTATE(b, 17) ^ c;                                                                     \
        d = ROTATE(d, 21) ^ a;                                                                     \
        c = ROTATE_32(c);                                                                          \
    } while (0)

/*
 * Computes draw_below(number, left) in each lane, and copies the result, which is below 256, to all
 * bytes of the lane. The result is byte 4 of the product (number >> 32) * left.
 */
#define PLACES(numbers, left)                                                                      \
    ((lanes)_mm256_shuffle_epi8(_mm256_mul_epu32((__m256i)((numbers) >> 32), (__m256i)(left)),     \
                                _mm256_set_epi64x(0x0c0c0c0c0c0c0c0c, 0x0404040404040404,          \
                                                  0x0c0c0c0c0c0c0c0c, 0x0404040404040404)))

__attribute__((target("avx2"))) static inline void draw_batches(const uint64_t seeded[static 4],
                                                                uint64_t message, uint64_t left,
                                                                uint32_t count, uint64_t *places)
{
    lanes text = {message, message + 1, message + 2, message + 3};
    lanes still_there = {left, left - 1, left - 2, left - 3};
    const lanes length = (lanes){0} + ((uint64_t)8 << 56);
    const lanes seeds[4] = {(lanes){0} + seeded[0], (lanes){0} + seeded[1], (lanes){0} + seeded[2],
                            (lanes){0} + seeded[3]};

    for (uint32_t i = 0; i < count; i += DRAW_BATCH) {
        lanes a = seeds[0], b = seeds[1], c = seeds[2], d = seeds[3];

        d ^= text;
        MIX_LANES(a, b, c, d);
        MIX_LANES(a, b, c, d);
        a ^= text;
        d ^= length;
        MIX_LANES(a, b, c, d);
        MIX_LANES(a, b, c, d);
        a ^= length;
        c ^= 0xff;
        for (int round = 0; round < 4; round++)
            MIX_LANES(a, b, c, d);
        a ^= b ^ c ^ d;
        a = PLACES(a, still_there) ^ DRAW_BIAS * EVERY_BYTE;
        memcpy(places + i, &a, sizeof a);
        text += DRAW_BATCH;
        still_there -= DRAW_BATCH;
    }
}

#endif

void draw_places(const uint8_t seed[static GAME_SEED_BYTES], uint32_t stream, uint32_t first,
                 uint32_t left, uint32_t count, uint64_t *places)
{
#if defined(__x86_64__) && !defined(FAST_OFF)
    uint64_t seeded[4];

    if (__builtin_cpu_supports("avx2")) {
        seed_state(seeded, seed);
        draw_batches(seeded, (uint64_t)stream << 32 | first, left, count, places);
        return;
    }
#endif
    for (uint32_t i = 0; i < count; i++) {
        uint64_t number = draw_number(seed, stream, first + i);

        places[i] = (draw_below(number, left - i) ^ DRAW_BIAS) * EVERY_BYTE;
    }
}
