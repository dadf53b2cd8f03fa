/*
 * A season as files: games.csv and history.csv for any tool that reads tables, and
 * replays/ID.replay for every game that was played.
 */
#ifndef ARENA_REPORT_EXPORT_H
#define ARENA_REPORT_EXPORT_H

#include <stdio.h>

#include "arena/season/roster.h"

/*
 * Writes game,group,player,seat,rank,score,reason,us,previous: a line a seat, in the schedule's
 * order; previous is the older version whose live rating the player takes over. Returns 0 or -errno
 * (store_failure tells, or -EIO from the file).
 */
int export_games(struct store *store, const struct store_season *season, FILE *file);

/*
 * Writes group,player,elo: the live ratings of a group's players after it, group by group.
 * Returns as export_games.
 */
int export_history(struct store *store, const struct store_season *season, FILE *file);

/* Told of each replay that is damaged, with its game's id and what is wrong. */
typedef void export_damaged_fn(void *context, const char *id, const char *reason);

struct export_count {
    int64_t written;
    int64_t pruned; /* games whose replay is not kept any more */
};

/*
 * Writes the replays that are kept and sound into a folder that exists. *count is how many. 0 or
 * -errno, and *path (PATH_MAX of room) says of which file, or is "" when store_failure tells.
 */
int export_replays(struct store *store, const struct store_season *season, const char *folder,
                   export_damaged_fn *damaged_fn, void *context, struct export_count *count,
                   char *path);

#endif
