/* SPDX-License-Identifier: MIT */
/* Commitment and derivation, against values from another implementation (Python's hashlib). */
#include <criterion/criterion.h>
#include <string.h>

#include "arena/season/seed.h"

Test(seed, derivation_is_the_published_one)
{
    uint8_t opening[GAME_SEED_BYTES], seed[GAME_SEED_BYTES];
    char commitment[SEED_COMMITMENT_DIGITS + 1], text[SEED_DIGITS + 1];

    for (int i = 0; i < GAME_SEED_BYTES; i++)
        opening[i] = (uint8_t)i;
    seed_commit(opening, commitment);
    cr_expect_str_eq(commitment,
                     "be45cb2605bf36bebde684841a28f0fd43c69850a3dce5fedba69928ee3a8991");
    seed_of_game(opening, 7, 2, seed);
    seed_write(seed, text);
    cr_expect_str_eq(text, "e918dd5f418d34b29ec190cc77eb1350", "group 7 game 2");
    seed_of_group(opening, 7, seed);
    seed_write(seed, text);
    cr_expect_str_eq(text, "e5f5cfa538bc29eabe0f8042e511776e");
    cr_expect_eq(seed_of_pairing(opening), 0xce9995b2a2a0123a, "the first 8 bytes, little-endian");
}

Test(seed, two_draws_differ)
{
    uint8_t one[GAME_SEED_BYTES], two[GAME_SEED_BYTES];

    cr_assert_eq(seed_draw(one), 0);
    cr_assert_eq(seed_draw(two), 0);
    cr_expect(memcmp(one, two, sizeof one) != 0);
}
