/*
 * Takes a submission into the queue that a daemon works through: reads its manifest, copies and
 * packs the folder as given, and keeps it in the store. Builds and runs nothing.
 */
#ifndef ARENA_INTAKE_QUEUE_H
#define ARENA_INTAKE_QUEUE_H

#include "arena/play/source.h"
#include "arena/store/store.h"

/*
 * Queues the folder at path. takes_over and received_us of *submission are the caller's; the rest
 * is filled in. Returns 0, or another package_result after writing one line to error.
 */
int queue_submission(struct store *store, const char *path, struct store_submission *submission,
                     char error[static SOURCE_ERROR_BYTES]);

#endif
