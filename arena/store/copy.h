/*
 * Copies a whole store into another, of the same or another back end, row by row and unchanged, and
 * reads it again at the end. The caller owns both stores.
 */
#ifndef ARENA_STORE_COPY_H
#define ARENA_STORE_COPY_H

#include "arena/store/store.h"

struct copy_report {
    const char *table;
    int64_t row_count;
    uint8_t sha256[STORE_DIGEST_BYTES]; /* over all values of all rows; the same in both stores */
};

/* Called when a table is copied, and with is_done false from time to time before that. */
typedef void copy_progress_fn(void *context, const struct copy_report *report, bool is_done);

/*
 * Copies everything. The target must be empty and unused. Nobody may play or submit to the source
 * meanwhile: its open seasons are claimed, and the copy fails if it finds a change. Returns 0 or
 * -errno, with the store whose store_failure has the message in *failed: -EEXIST if the target is
 * not empty, -EBUSY if a season is being played, -ESTALE if the source was changed. After any
 * failure except -EEXIST the target is incomplete.
 */
int copy_store(struct store *target, struct store *source, copy_progress_fn *progress_fn,
               void *context, const struct store **failed);

#endif
