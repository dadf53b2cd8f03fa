/*
 * Exports a season to files: games.csv and history.csv for spreadsheets and other tools, and
 * replays/ID.replay for every game that was played.
 */
#ifndef ARENA_REPORT_EXPORT_H
#define ARENA_REPORT_EXPORT_H

#include <stdio.h>

#include "arena/season/roster.h"

/*
 * Writes CSV with the columns game,group,player,seat,rank,score,reason,us,previous: a line per
 * seat, in the schedule's order. previous is the older version whose live rating the player
 * inherits. Returns 0 or -errno (see store_failure, except for -EIO, which means that the file
 * could not be written).
 */
int export_games(struct store *store, const struct store_season *season, FILE *file);

/*
 * Writes CSV with the columns group,player,elo: after each group the live ratings of the group's
 * players. Returns the same as export_games.
 */
int export_history(struct store *store, const struct store_season *season, FILE *file);

/* Called for each damaged replay, with the id of its game and a line that says what is wrong. */
typedef void export_damaged_fn(void *context, const char *id, const char *reason);

struct export_count {
    int64_t written;
    int64_t pruned; /* number of games whose replay was pruned */
};

/*
 * Writes every stored replay that is not damaged to an existing folder. Returns 0 and sets *count.
 * Or returns -errno: then path (PATH_MAX bytes) names the file that could not be written, or is ""
 * if the store failed (see store_failure).
 */
int export_replays(struct store *store, const struct store_season *season, const char *folder,
                   export_damaged_fn *damaged_fn, void *context, struct export_count *count,
                   char *path);

#endif
