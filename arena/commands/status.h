/*
 * The files by which a daemon is found in its home: a lock that it holds while it runs, and its
 * status, written every second.
 */
#ifndef ARENA_COMMANDS_STATUS_H
#define ARENA_COMMANDS_STATUS_H

#include <limits.h>

#include "arena/store/store.h"

#define STATUS_LOCK "serve.lock"
#define STATUS_FILE "serve.json"

/*
 * Writes the folder of these files, and creates it: that of the store's file, or the home if the
 * store is not a file. Returns a command's status.
 */
int status_make_folder(char folder[static PATH_MAX], const struct store *store);

/* Writes folder/name. Returns 0 or -ENAMETOOLONG. */
int status_path(char path[static PATH_MAX], const char *folder, const char *name);

#endif
