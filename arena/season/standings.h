/*
 * The ladders of a stored season: one for all tables and one per table size, from a single pass
 * over its games.
 */
#ifndef ARENA_SEASON_STANDINGS_H
#define ARENA_SEASON_STANDINGS_H

#include "arena/season/ladder.h"
#include "arena/season/roster.h"

struct standings {
    struct store_season season;
    struct roster roster;
    struct ladder ladders[GAME_PLAYERS_MAX + 1]; /* by table size; 0: all tables */
    int row_counts[GAME_PLAYERS_MAX + 1];        /* 0 if there is no such ladder */
};

/*
 * Reads all games and computes the ladders. Returns 0 or -errno (see store_failure, except for
 * -ENOMEM).
 */
int standings_load(struct standings *standings, struct store *store,
                   const struct store_season *season, unsigned list);

/*
 * The same, and also calls each_fn for each game whose bots entered before the reading began, with
 * the fields that game_cache_each sets. cache is the folder of that cache, or NULL.
 */
int standings_load_games(struct standings *standings, struct store *store,
                         const struct store_season *season, unsigned list, const char *cache,
                         store_game_fn *each_fn, void *context);

/* Accepts zeroed standings. */
void standings_finish(struct standings *standings);

/* Limits of the labels that tell versions apart. */
enum standings_limits {
    STANDINGS_LABEL_BYTES = STORE_NAME_BYTES_MAX + STORE_TEXT_BYTES_MAX + 2,
};

/*
 * Writes the label of an entry for places without a version column: name, or name@version if the
 * season has several versions of that name.
 */
void standings_label(const struct roster *roster, int entry,
                     char label[static STANDINGS_LABEL_BYTES]);

#endif
