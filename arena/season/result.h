/*
 * A game that was played at a table, as it is stored. Owns all that it points to, so that it can
 * go to another thread.
 */
#ifndef ARENA_SEASON_RESULT_H
#define ARENA_SEASON_RESULT_H

#include "arena/play/table.h"
#include "arena/season/latency.h"
#include "arena/season/season.h"

struct game_result {
    struct season_game played;
    struct store_game game; /* its times and forfeits point into this result */
    uint8_t times[GAME_PLAYERS_MAX][LATENCY_PACKED_MAX];
    char *forfeits; /* NULL when all played */
    uint8_t *replay;
    size_t replay_bytes;
};

/* What came of a game at a table that has its result. NULL when memory is out. */
struct game_result *result_of_table(const struct season_game *game, const struct table *table);

/* Takes NULL. */
void result_destroy(struct game_result *result);

#endif
