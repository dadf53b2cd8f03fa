/* SPDX-License-Identifier: MIT */
/*
 * Copies a whole store into another store, of either kind, row by row and unchanged, and then reads
 * the copy to verify it. The caller owns both stores.
 */
#ifndef ARENA_STORE_COPY_H
#define ARENA_STORE_COPY_H

#include "arena/store/store.h"

struct copy_report {
    const char *table;
    int64_t row_count;
    /* SHA-256 over all values of all rows, equal in both stores. */
    uint8_t sha256[STORE_DIGEST_BYTES];
};

/* Called after a table is copied. */
typedef void copy_progress_fn(void *context, const struct copy_report *report);

/*
 * Copies all tables. The target must be empty and not in use. Nobody may play or submit to the
 * source meanwhile: the copy claims the open seasons of the source, and fails if an event was
 * added. Returns 0 or -errno, which store_failure(target) explains: -EEXIST if the target is not
 * empty, -EBUSY if a season is being played, -ESTALE if the source was changed. Until everything is
 * copied and verified, the target is marked as incomplete, and store_open refuses it.
 */
int copy_store(struct store *target, struct store *source, copy_progress_fn *progress_fn,
               void *context);

#endif
