/* SPDX-License-Identifier: MIT */
/*
 * Exports a season to files: games.csv and history.csv for spreadsheets and other tools, and
 * replays/ID.replay for every game that was played.
 */
#ifndef ARENA_REPORT_EXPORT_H
#define ARENA_REPORT_EXPORT_H

#include <stdio.h>

#include "arena/season/ladder.h"

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

/*
 * Writes the marks of seasons, which are one or the divisions of a round, as CSV, for the
 * organizer: a line for each bot whose newest version is no reference bot, in the order of the
 * ladders, with its author's student number; then a line for each account that has no such bot.
 * Returns 0 or -errno (see store_failure).
 */
int export_marks(struct store *store, const struct store_season *const *seasons, int count,
                 FILE *file);

/* Calls each_fn for the last version of each bot of a season, reference bots aside. */
int export_finals_each(struct store *store, const struct store_season *season,
                       store_bot_fn *each_fn, void *context);

enum {
    EXPORT_ERROR_BYTES = 4096 + 256
};

/*
 * Unpacks a version as its author submitted it to a new folder. Returns 0; or -errno after writing
 * a line to error: -EEXIST if the folder exists, -ENODATA if the store has the package no more.
 */
int export_bot(struct store *store, const struct store_bot *bot, const char *folder,
               char error[static EXPORT_ERROR_BYTES]);

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
