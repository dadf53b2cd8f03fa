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
int staging_init(struct staging *staging, struct store *store, const struct sandbox *sandbox);

/* Removes all. Takes a zeroed one. */
void staging_finish(struct staging *staging);

/*
 * The bot of an entry, the staging's own and good until its end. One that cannot be unpacked has
 * unfit set, and is out when it is started. NULL with one line in error if the arena failed.
 */
const struct source *staging_source(struct staging *staging, const struct roster *roster, int entry,
                                    char error[static SOURCE_ERROR_BYTES]);

/*
 * Unpacks a bot's built package to stage/number. Returns 0 and a source for source_close, or
 * another package_result with one line in error: PACKAGE_REFUSED where the package or its
 * manifest is at fault, PACKAGE_FAILED where the arena could not.
 */
int staging_open_bot(struct source *source, struct store *store, const struct store_bot *bot,
                     const char *stage, int number, char error[static SOURCE_ERROR_BYTES]);

#endif
