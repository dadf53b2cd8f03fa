/*
 * The two files of a daemon in its home, by which other commands find it: a lock that the daemon
 * holds while it runs, and its status, which it writes every second.
 */
#ifndef ARENA_COMMANDS_STATUS_H
#define ARENA_COMMANDS_STATUS_H

#include <limits.h>

#include "arena/store/store.h"

#define STATUS_LOCK "serve.lock"
#define STATUS_FILE "serve.json"

/*
 * Writes the path of the folder for these files, and creates the folder: the folder of the store's
 * file, or the home if the store is on a server. Returns a command's status.
 */
int status_make_folder(char folder[static PATH_MAX], const struct store *store);

/* Writes the path folder/name. Returns 0 or -ENAMETOOLONG. */
int status_path(char path[static PATH_MAX], const char *folder, const char *name);

#endif
