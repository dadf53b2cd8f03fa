/*
 * A whole store into another, of whichever back ends: row by row, as they lie, and read again at
 * the end. Both are the caller's.
 */
#ifndef ARENA_STORE_COPY_H
#define ARENA_STORE_COPY_H

#include "arena/store/store.h"
#include "arena/store/tables.h"

struct copy_report {
    const struct store_table *table;
    int64_t row_count;
    uint8_t sha256[STORE_DIGEST_BYTES]; /* over all values of all rows, equal in both stores */
};

/* Told of each table when it was copied; and, with is_done false, now and then before. */
typedef void copy_progress_fn(void *context, const struct copy_report *report, bool is_done);

/*
 * Copies everything. The target must be empty and not used by others; nobody may play or submit to
 * the source meanwhile: its open seasons are claimed, and a change that is found all the same ends
 * it. 0, or -errno, which store_failure of *failed tells: -EEXIST when the target is not empty,
 * -EBUSY when a season is being played, -ESTALE when the source was changed. Unless it is 0 or
 * -EEXIST the target is not whole.
 */
int copy_store(struct store *target, struct store *source, copy_progress_fn *progress_fn,
               void *context, const struct store **failed);

#endif
