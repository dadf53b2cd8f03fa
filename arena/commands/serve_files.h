/*
 * The files by which a daemon is found in its home: the lock that it holds while it lives, and its
 * status, written each second.
 */
#ifndef ARENA_COMMANDS_SERVE_FILES_H
#define ARENA_COMMANDS_SERVE_FILES_H

#include <jansson.h>
#include <limits.h>

#include "arena/store/store.h"

#define SERVE_FILES_LOCK   "serve.lock"
#define SERVE_FILES_STATUS "serve.json"

/*
 * The folder in which they lie: that of the store's file, or the home where the store is no file.
 * Returns a command's status.
 */
int serve_files_folder(char folder[static PATH_MAX], const struct store *store, const char *home);

/* folder/name; -ENAMETOOLONG. */
int serve_files_path(char path[static PATH_MAX], const char *folder, const char *name);

/*
 * What a daemon that runs on this home last said of itself, a new reference; NULL where none runs
 * (COMMAND_DONE) or its home cannot be told (another status).
 */
json_t *serve_files_read(const char *home, int *status);

#endif
