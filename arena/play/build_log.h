/*
 * Keeps the output of failed builds in files for the bot's author: each for a day, and only a few
 * per user.
 */
#ifndef ARENA_PLAY_BUILD_LOG_H
#define ARENA_PLAY_BUILD_LOG_H

#include <stddef.h>

enum build_log_limits {
    BUILD_LOG_COUNT_MAX = 16, /* only the newest are kept */
    BUILD_LOG_KEPT_S = 24 * 60 * 60,
};

/* Writes a file to $TMPDIR or /tmp. Returns its path, which the caller frees, or NULL. */
char *build_log_keep(const char *bytes, size_t size);

/* Removes this user's logs from folder, except those still to be kept. */
void build_log_remove_old(const char *folder);

#endif
