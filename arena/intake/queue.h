/*
 * Queues a submission for a daemon: reads its manifest, copies and packs the folder as submitted,
 * and stores it. Builds and runs nothing.
 */
#ifndef ARENA_INTAKE_QUEUE_H
#define ARENA_INTAKE_QUEUE_H

#include "arena/play/source.h"
#include "arena/store/submissions.h"

/*
 * Queues the folder at path. The caller sets takes_over and received_us of *submission; the rest is
 * filled in. Returns 0, or another package_result after writing one line to error.
 */
int queue_submission(struct store *store, const char *path, struct store_submission *submission,
                     char error[static SOURCE_ERROR_BYTES]);

#endif
