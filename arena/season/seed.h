/*
 * A season's secret: 16 random bytes per opening, from which all its luck comes. Their
 * SHA-256 is published at the start and they at the close, so that anybody can check that
 * no seed was chosen after the bots were known. Pure but for seed_draw.
 *
 * What follows from them is HMAC-SHA256 under the opening's bytes, cut to its first 16: of
 * "group K" the seed of group K's games, of "pairing" (its first 8) the choices between equals. The
 * key is no match's seed, so a seed that is published with a replay tells nothing of any other.
 */
#ifndef ARENA_SEASON_SEED_H
#define ARENA_SEASON_SEED_H

#include <stdint.h>

#include "engine/state.h"

enum seed_limits {
    SEED_DIGITS = 2 * GAME_SEED_BYTES, /* of a seed in hex */
    SEED_COMMITMENT_DIGITS = 64,
};

/* 16 bytes of the system's randomness. 0 or -errno. */
int seed_draw(uint8_t seed[static GAME_SEED_BYTES]);

/* Writes 32 hex digits. */
void seed_write(const uint8_t seed[static GAME_SEED_BYTES], char text[static SEED_DIGITS + 1]);

/* SHA-256 of the seed's bytes, in hex. */
void seed_commit(const uint8_t seed[static GAME_SEED_BYTES],
                 char commitment[static SEED_COMMITMENT_DIGITS + 1]);

/* The seed of all games of one group. */
void seed_of_group(const uint8_t opening[static GAME_SEED_BYTES], int group,
                   uint8_t seed[static GAME_SEED_BYTES]);

/* The randomness with which batches are chosen. */
uint64_t seed_of_pairing(const uint8_t opening[static GAME_SEED_BYTES]);

#endif
