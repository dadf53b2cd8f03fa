/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>

#include "engine/draw.h"

/*
 * Test vectors from the authors of SipHash: SipHash-2-4, key 00 01 .. 0f, of the first 0, 1, 2, ...
 * bytes of 00 01 02 ..; each as a little-endian number.
 */
static const uint64_t published[] = {
    0x726fdb47dd0e0e31, 0x74f839c593dc67fd, 0x0d6c8009d9a94f5a, 0x85676696d7fb7e2d,
    0xcf2794e0277187b7, 0x18765564cd99a68d, 0xcbc9466e58fee3ce, 0xab0200f58b01d137,
    0x93f5f5799a932462, 0x9e0082df0ba9e4b0, 0x7a5dbbc594ddb9f3, 0xf4b32f46226bada7,
    0x751e8fbc860ee5fb, 0x14ea5627c0843d90, 0xf723ca908e7af2ee, 0xa129ca6149be45e5,
};

Test(draw, published_vectors)
{
    uint8_t key[GAME_SEED_BYTES], bytes[16];

    for (size_t i = 0; i < 16; i++)
        key[i] = bytes[i] = (uint8_t)i;
    for (size_t size = 0; size < 16; size++)
        cr_expect_eq(draw_siphash(key, bytes, size), published[size], "%zu bytes", size);
}

Test(draw, a_number_is_the_hash_of_stream_and_index)
{
    static const struct {
        uint32_t stream, index;
    } rows[] = {{0, 0}, {0, 1}, {1, 0}, {6, 35}, {7, 1023}, {UINT32_MAX, UINT32_MAX}};
    uint8_t key[GAME_SEED_BYTES] = {9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 255, 254, 253, 252, 251, 250};

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint8_t bytes[8];

        for (int byte = 0; byte < 4; byte++) {
            bytes[byte] = (uint8_t)(rows[i].index >> (8 * byte));
            bytes[4 + byte] = (uint8_t)(rows[i].stream >> (8 * byte));
        }
        cr_expect_eq(draw_number(key, rows[i].stream, rows[i].index),
                     draw_siphash(key, bytes, sizeof bytes), "row %zu", i);
    }
}

Test(draw, below_a_count)
{
    cr_expect_eq(draw_below(0, 1), 0);
    cr_expect_eq(draw_below(UINT64_MAX, 1), 0);
    cr_expect_eq(draw_below(UINT64_MAX, 132), 131);
    cr_expect_eq(draw_below(UINT64_C(0x80000000) << 32, 132), 66);
    cr_expect_eq(draw_below(UINT64_C(0x7fffffff) << 32 | 0xffffffff, 132), 65);
}

Test(draw, places_are_those_of_single_draws)
{
    const uint8_t seed[GAME_SEED_BYTES] = {1, 2, 3};
    uint64_t places[GAME_TILES + DRAW_BATCH];

    for (uint32_t left = 1; left <= GAME_TILES; left++) {
        uint32_t count = left < 40 ? left : 40;

        draw_places(seed, left % 7, left, left, count, places);
        for (uint32_t i = 0; i < count; i++) {
            uint64_t number = draw_number(seed, left % 7, left + i);
            uint64_t place = draw_below(number, left - i) ^ DRAW_BIAS;

            cr_assert_eq(places[i], place * UINT64_C(0x0101010101010101), "%u of %u left", i, left);
        }
    }
}
