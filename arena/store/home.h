/* Finds the folder of the arena's files: ARENA_HOME. Knows paths only; reads no file in it. */
#ifndef ARENA_STORE_HOME_H
#define ARENA_STORE_HOME_H

#include <limits.h>

/*
 * Writes the home folder's path: `option` (the value of --home) if not NULL, else $ARENA_HOME, else
 * pavilion in $XDG_DATA_HOME or ~/.local/share. Returns 0, -ENOENT if $HOME is not set either, or
 * -ENAMETOOLONG.
 */
int home_find(const char *option, char path[static PATH_MAX]);

/* Creates the folder and its parents, accessible by the owner only. Returns 0 or -errno. */
int home_create(const char *path);

#endif
