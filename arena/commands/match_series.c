#include "arena/commands/match_series.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "engine/draw.h"

void match_series_seed(const uint8_t first[static GAME_SEED_BYTES], uint32_t number,
                       uint8_t seed[static GAME_SEED_BYTES])
{
    if (number == 0) {
        memcpy(seed, first, GAME_SEED_BYTES);
        return;
    }
    for (uint32_t half = 0; half < 2; half++) {
        uint64_t word = draw_number(first, DRAW_SERIES, 2 * number + half);

        for (int byte = 0; byte < 8; byte++)
            seed[8 * half + (uint32_t)byte] = (uint8_t)(word >> (8 * byte));
    }
}

void match_series_id(char id[static WIRE_MATCH_BYTES_MAX], uint64_t seed_number, int rotation)
{
    snprintf(id, WIRE_MATCH_BYTES_MAX, "%06" PRIu64 "-%d", seed_number, rotation);
}
