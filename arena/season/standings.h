/*
 * The ladders of a stored season: one over all tables and one for each size of table,
 * from one reading of its games.
 */
#ifndef ARENA_SEASON_STANDINGS_H
#define ARENA_SEASON_STANDINGS_H

#include "arena/season/ladder.h"
#include "arena/season/roster.h"

struct standings {
    struct store_season season;
    struct roster roster;
    struct ladder ladders[GAME_PLAYERS_MAX + 1]; /* by seats of a table; 0: over all */
    int row_counts[GAME_PLAYERS_MAX + 1];        /* 0 where there is no such ladder */
};

/* Reads all games and makes the ladders. 0 or -errno (store_failure tells, or -ENOMEM). */
int standings_load(struct standings *standings, struct store *store,
                   const struct store_season *season, unsigned list);

/* The same from one reading of all that is kept of games: each is told to each_fn as well, if its
   bots entered before the reading began. */
int standings_load_games(struct standings *standings, struct store *store,
                         const struct store_season *season, unsigned list, store_game_fn *each_fn,
                         void *context);

/* Takes a zeroed one. */
void standings_finish(struct standings *standings);

/* Where "name" alone would not do. */
enum standings_limits {
    STANDINGS_LABEL_BYTES = STORE_NAME_BYTES_MAX + STORE_TEXT_BYTES_MAX + 2,
};

/* What an entry is called where versions are not a column: name, or name@version where the
   season has several of that name. */
void standings_label(const struct roster *roster, int entry,
                     char label[static STANDINGS_LABEL_BYTES]);

#endif
