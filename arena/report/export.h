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

/* An export of replays. The caller sets the fields up to `context`. */
struct replay_export {
    struct store *store;
    const struct store_season *season;
    const char *folder; /* an existing folder */
    /* Called for each damaged replay, with its game's id and a line that says what is wrong. */
    void (*damaged_fn)(void *context, const char *id, const char *reason);
    void *context;

    int64_t written_count;
    int64_t pruned_count; /* number of games whose replay was pruned */
    char *path;           /* the file that could not be written, which the caller frees; or NULL */
    int error;
};

/*
 * Writes every stored replay that is not damaged. Returns 0; or -errno, and then path names the
 * file, or is NULL if the store failed (see store_failure).
 */
int export_replays(struct replay_export *export);

#endif
