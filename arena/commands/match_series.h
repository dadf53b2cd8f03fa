/* The seeds and ids of the matches of one `arena match` run. */
#ifndef ARENA_COMMANDS_MATCH_SERIES_H
#define ARENA_COMMANDS_MATCH_SERIES_H

#include "sdk/wire.h"

/* Derives seed `number` from the first seed; number 0 is the first seed itself. */
void match_series_seed(const uint8_t first[static GAME_SEED_BYTES], uint32_t number,
                       uint8_t seed[static GAME_SEED_BYTES]);

/* "000003-1": the fourth seed in the second rotation of the seats. */
void match_series_id(char id[static WIRE_MATCH_BYTES_MAX], uint64_t seed_number, int rotation);

#endif
