/* SPDX-License-Identifier: MIT */
#include "arena/season/seed.h"

#include <errno.h>
#include <nettle/hmac.h>
#include <nettle/sha2.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>

int seed_draw(uint8_t seed[static GAME_SEED_BYTES])
{
    ssize_t got;

    do
        got = getrandom(seed, GAME_SEED_BYTES, 0);
    while (got < 0 && errno == EINTR);
    return got == GAME_SEED_BYTES ? 0 : got < 0 ? -errno : -EIO;
}

static void write_hex(const uint8_t *bytes, size_t size, char *text)
{
    for (size_t i = 0; i < size; i++)
        sprintf(text + 2 * i, "%02x", bytes[i]);
}

void seed_write(const uint8_t seed[static GAME_SEED_BYTES], char text[static SEED_DIGITS + 1])
{
    write_hex(seed, GAME_SEED_BYTES, text);
}

void seed_commit(const uint8_t seed[static GAME_SEED_BYTES],
                 char commitment[static SEED_COMMITMENT_DIGITS + 1])
{
    uint8_t digest[SHA256_DIGEST_SIZE];
    struct sha256_ctx context;

    sha256_init(&context);
    sha256_update(&context, GAME_SEED_BYTES, seed);
    sha256_digest(&context, sizeof digest, digest);
    write_hex(digest, sizeof digest, commitment);
}

static void derive(const uint8_t opening[static GAME_SEED_BYTES], const char *message,
                   uint8_t bytes[static GAME_SEED_BYTES])
{
    struct hmac_sha256_ctx context;

    hmac_sha256_set_key(&context, GAME_SEED_BYTES, opening);
    hmac_sha256_update(&context, strlen(message), (const uint8_t *)message);
    hmac_sha256_digest(&context, GAME_SEED_BYTES, bytes);
}

void seed_of_game(const uint8_t opening[static GAME_SEED_BYTES], int group, int game,
                  uint8_t seed[static GAME_SEED_BYTES])
{
    char message[48];

    snprintf(message, sizeof message, "group %d game %d", group, game);
    derive(opening, message, seed);
}

void seed_of_group(const uint8_t opening[static GAME_SEED_BYTES], int group,
                   uint8_t seed[static GAME_SEED_BYTES])
{
    char message[32];

    snprintf(message, sizeof message, "group %d", group);
    derive(opening, message, seed);
}

uint64_t seed_of_pairing(const uint8_t opening[static GAME_SEED_BYTES])
{
    uint8_t bytes[GAME_SEED_BYTES];
    uint64_t randomness = 0;

    derive(opening, "pairing", bytes);
    for (int i = 0; i < 8; i++)
        randomness |= (uint64_t)bytes[i] << (8 * i);
    return randomness;
}
