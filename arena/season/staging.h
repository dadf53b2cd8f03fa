/*
 * The bots of a running season as folders that can be executed: unpacked from the store
 * when first needed, checked against their hash, and removed at the end.
 */
#ifndef ARENA_SEASON_STAGING_H
#define ARENA_SEASON_STAGING_H

#include "arena/play/source.h"
#include "arena/season/roster.h"

struct staging {
    struct store *store;     /* borrowed */
    char *stage;             /* a private folder */
    struct source **sources; /* by entry; NULL until needed */
    int count;
};

/* Makes the private folder. 0 or -errno. */
int staging_init(struct staging *staging, struct store *store);

/* Removes all. Takes a zeroed one. */
void staging_finish(struct staging *staging);

/*
 * The bot of an entry, the staging's own and good until its end; or NULL with one line in
 * error.
 */
const struct source *staging_source(struct staging *staging, const struct roster *roster, int entry,
                                    char error[static SOURCE_ERROR_BYTES]);

/*
 * Unpacks a bot's built package to stage/number. Returns 0 and a source for source_close,
 * or -1 with one line in error.
 */
int staging_open_bot(struct source *source, struct store *store, const struct store_bot *bot,
                     const char *stage, int number, char error[static SOURCE_ERROR_BYTES]);

#endif
