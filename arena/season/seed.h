/* SPDX-License-Identifier: MIT */
/*
 * The secret of a season: 16 random bytes per opening (a period in which the season is open),
 * from which all randomness of the opening is derived. The arena publishes their SHA-256 at the
 * start and the bytes themselves at the close, so that anybody can check that the seed was not
 * chosen after the bots were known. Pure except for seed_draw.
 *
 * Derived values are HMAC-SHA256 with the opening's bytes as key. The message "group K game R"
 * gives the seed of one game (the first 16 bytes), "pairing" the number that breaks ties (the first
 * 8 bytes). No two games share a seed, so knowing one game's hidden draws does not help in another.
 * The key is not the seed of any game, so a replay, which contains its game's seed, reveals nothing
 * about other games.
 */
#ifndef ARENA_SEASON_SEED_H
#define ARENA_SEASON_SEED_H

#include <stdint.h>

#include "engine/state.h"

enum seed_limits {
    SEED_DIGITS = 2 * GAME_SEED_BYTES, /* number of hex digits of a seed */
    SEED_COMMITMENT_DIGITS = 64,
};

/* Draws 16 bytes from the system's random generator. Returns 0 or -errno. */
int seed_draw(uint8_t seed[static GAME_SEED_BYTES]);

void seed_write(const uint8_t seed[static GAME_SEED_BYTES], char text[static SEED_DIGITS + 1]);

void seed_commit(const uint8_t seed[static GAME_SEED_BYTES],
                 char commitment[static SEED_COMMITMENT_DIGITS + 1]);

/* Derives the seed of one game of a group; `game` is the rotation of the seats in that game. */
void seed_of_game(const uint8_t opening[static GAME_SEED_BYTES], int group, int game,
                  uint8_t seed[static GAME_SEED_BYTES]);

/* Derives one seed for all games of a group ("group K"): safe only with trusted bots. */
void seed_of_group(const uint8_t opening[static GAME_SEED_BYTES], int group,
                   uint8_t seed[static GAME_SEED_BYTES]);

/* Derives the random number with which batches are chosen. */
uint64_t seed_of_pairing(const uint8_t opening[static GAME_SEED_BYTES]);

#endif
