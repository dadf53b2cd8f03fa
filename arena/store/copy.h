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

struct copy_claims;

/*
 * Claims the open seasons of the source, so that nobody plays them during the copy; to be called
 * before the target is made, of which a refusal then leaves nothing. The caller calls copy_release
 * in any case. Returns 0 or -errno, which store_failure(source) explains: -EBUSY if a season is
 * being played, or too many are open.
 */
int copy_claim(struct copy_claims **claims, struct store *source);
void copy_release(struct copy_claims *claims);

/*
 * Copies all tables of a source whose seasons are claimed. The target must be empty and not in use.
 * Nobody may submit to the source meanwhile: at its end the copy reads the source again, all but
 * packages and replays, and fails if a row was added, changed or removed; what comes after that is
 * not in the copy. Returns 0 or -errno, which store_failure(target) explains: -EEXIST if the target
 * is not empty, -ESTALE if the source was changed. Until everything is copied and verified, the
 * target is marked as incomplete, and store_open refuses it.
 */
int copy_store(struct store *target, struct store *source, copy_progress_fn *progress_fn,
               void *context);

#endif
