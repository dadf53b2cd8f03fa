/* SPDX-License-Identifier: MIT */
/* A large league of synthetic games, for benches and tests. All exit on failure. */
#ifndef TESTS_BENCH_CROWD_H
#define TESTS_BENCH_CROWD_H

#include <stdbool.h>

#include "arena/store/store.h"

#define CROWD_SEASON "crowd"

/*
 * Adds game_count games (in pairs, a group each) to the season of a home; creates the season with
 * bot_count bots if it does not exist. Without replays each game has one byte in its replay's
 * place.
 */
void crowd_fill(const char *home, int bot_count, long game_count, bool with_replays);

/* Adds that many bots to an empty store. */
void crowd_add_bots(struct store *store, int count);

/* Adds a game of a group of two, played by entries 0..bot_count - 1; those of low numbers are
 * stronger. */
void crowd_add_game(struct store *store, int64_t season_id, const struct store_group *group,
                    int rotation, int bot_count, const uint8_t *replay, size_t replay_bytes);

#endif
