/* SPDX-License-Identifier: MIT */
/*
 * The result of a game, ready to be stored. It owns all the memory that it points to, so that it
 * can be passed to another thread.
 */
#ifndef ARENA_SEASON_RESULT_H
#define ARENA_SEASON_RESULT_H

#include "arena/play/table.h"
#include "arena/replay/replay.h"
#include "arena/season/latency.h"
#include "arena/season/season.h"

struct game_result {
    struct season_game played;
    struct store_game game; /* game.times and game.forfeits point into this result */
    uint8_t times[GAME_PLAYERS_MAX][LATENCY_PACKED_MAX];
    char *forfeits; /* forfeits as JSON; NULL if there were none */
    /*
     * What the machine was like, as JSON: cores, load, games (at once), pressed_us, and by seat
     * cpu_us and waited_us; null: unknown (play/table.h). NULL: the game was played elsewhere.
     */
    char *machine;
    uint8_t *replay;
    size_t replay_bytes;
};

/* Creates the result of a game that has ended at table. Returns NULL if memory runs out. */
struct game_result *result_of_table(const struct season_game *game, const struct table *table);

/*
 * Creates the result of a game that was played elsewhere from the game's replay, which has
 * everything that the store keeps of a game except wall_us. Copies bytes, the packed replay.
 * Returns NULL if memory runs out.
 */
struct game_result *result_of_replay(const struct season_game *game, const struct replay *replay,
                                     const uint8_t *bytes, size_t size, int64_t wall_us);

/* Frees the result. Accepts NULL. */
void result_destroy(struct game_result *result);

#endif
