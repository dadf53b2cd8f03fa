/*
 * A season's secret: 16 random bytes per opening, from which all its luck comes. Their
 * SHA-256 is published at the start and they at the close, so that anybody can check that
 * no seed was chosen after the bots were known. Pure but for seed_draw.
 *
 * What follows from them is HMAC-SHA256 under the opening's bytes, cut to its first 16: of
 * "group K game R" the seed of one game, of "pairing" (its first 8) the choices between equals.
 * No two games share a seed, so what a bot learns of hidden draws is worth nothing in the next
 * game. The key is no game's seed, so a seed that a replay shows tells nothing of any other.
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

/* The seed of one game: rotation `game` of a group, both decimal in the message. */
void seed_of_game(const uint8_t opening[static GAME_SEED_BYTES], int group, int game,
                  uint8_t seed[static GAME_SEED_BYTES]);

/* One seed for all games of a group, of "group K": only between bots that one trusts. */
void seed_of_group(const uint8_t opening[static GAME_SEED_BYTES], int group,
                   uint8_t seed[static GAME_SEED_BYTES]);

/* The randomness with which batches are chosen. */
uint64_t seed_of_pairing(const uint8_t opening[static GAME_SEED_BYTES]);

#endif
