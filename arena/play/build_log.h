/*
 * What failed builds printed, in files for whoever wrote the bot. Each is kept for a day,
 * and no more than a few of a user's at once.
 */
#ifndef ARENA_PLAY_BUILD_LOG_H
#define ARENA_PLAY_BUILD_LOG_H

#include <stddef.h>

enum build_log_limits {
    BUILD_LOG_COUNT_MAX = 16, /* the newest */
    BUILD_LOG_KEPT_S = 24 * 60 * 60,
};

/* Writes a file in $TMPDIR or /tmp. Returns its path, which the caller frees, or NULL. */
char *build_log_keep(const char *bytes, size_t size);

/* Removes this user's files from folder, but for those that are kept. */
void build_log_remove_old(const char *folder);

#endif
