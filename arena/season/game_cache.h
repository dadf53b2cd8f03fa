/*
 * A season's games in a file of their own, packed, so that what reads all of them often (a
 * publication) reads only new ones from the store. The file is believed game by game: the store is
 * asked for the checksum of each (store_heads_each), and what differs is read from the store, as
 * after a backup was put back. It contains games that are secret still: keep it in the home.
 */
#ifndef ARENA_SEASON_GAME_CACHE_H
#define ARENA_SEASON_GAME_CACHE_H

#include "arena/store/games.h"

/*
 * Calls each_fn for every game as store_games_each does, but sets only what store_results_each
 * sets, and what store_heads_each sets, and forfeits. The file is FOLDER/SEASON.games; folder NULL:
 * there is none. A file that cannot be read or written costs time, no more. Returns 0 or -errno as
 * store_games_each.
 */
int game_cache_each(const char *folder, struct store *store, const struct store_season *season,
                    store_game_fn *each_fn, void *context);

#endif
