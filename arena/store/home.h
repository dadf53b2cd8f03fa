/*
 * Finds and creates the arena's home folder, ARENA_HOME. Works with paths only: reads no file in
 * the folder.
 */
#ifndef ARENA_STORE_HOME_H
#define ARENA_STORE_HOME_H

#include <limits.h>

/*
 * Writes the path of the home folder: `option` (the value of --home) if it is not NULL; else
 * $ARENA_HOME; else the folder pavilion in $XDG_DATA_HOME or ~/.local/share. Returns 0, -ENOENT if
 * none of these is set, or -ENAMETOOLONG.
 */
int home_find(const char *option, char path[static PATH_MAX]);

/* Creates a folder and its parents; only the owner may use the folder. Returns 0 or -errno. */
int home_create(const char *path);

#endif
