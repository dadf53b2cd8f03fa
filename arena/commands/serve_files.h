/*
 * The files by which a daemon is found in its home: a lock that it holds while it runs, and its
 * status, written every second.
 */
#ifndef ARENA_COMMANDS_SERVE_FILES_H
#define ARENA_COMMANDS_SERVE_FILES_H

#include <jansson.h>
#include <limits.h>

#include "arena/store/store.h"

#define SERVE_FILES_LOCK   "serve.lock"
#define SERVE_FILES_STATUS "serve.json"

/*
 * Writes the folder of these files: that of the store's file, or the home if the store is not a
 * file. Returns 0, or -errno as home_find.
 */
int serve_files_find(char folder[static PATH_MAX], const struct store *store, const char *home);

/* The same, and creates a home. Returns a command's status. */
int serve_files_folder(char folder[static PATH_MAX], const struct store *store, const char *home);

/* Writes folder/name. Returns 0 or -ENAMETOOLONG. */
int serve_files_path(char path[static PATH_MAX], const char *folder, const char *name);

/*
 * Returns the last status of a daemon that runs on this home, as a new reference; NULL if none runs
 * (*status is COMMAND_DONE) or its home cannot be found (another status).
 */
json_t *serve_files_read(const char *home, int *status);

#endif
