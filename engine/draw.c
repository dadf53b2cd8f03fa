#include "engine/draw.h"

static uint64_t rotate(uint64_t value, int bits)
{
    return (value << bits) | (value >> (64 - bits));
}

/* One SipRound on the four words of state. */
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

static void absorb(uint64_t state[static 4], uint64_t word)
{
    state[3] ^= word;
    mix(state);
    mix(state);
    state[0] ^= word;
}

static void seed_state(uint64_t state[static 4], const uint8_t key[static GAME_SEED_BYTES])
{
    uint64_t low = little_endian(key, 8);
    uint64_t high = little_endian(key + 8, 8);

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
        absorb(state, little_endian(bytes + i, 8));
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
