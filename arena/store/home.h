/*
 * Where the arena keeps its things: ARENA_HOME. Knows paths only; nothing in it is
 * read here.
 */
#ifndef ARENA_STORE_HOME_H
#define ARENA_STORE_HOME_H

#include <limits.h>

/*
 * The home folder: `option` (what --home said) if not NULL, else $ARENA_HOME, else
 * pavilion below $XDG_DATA_HOME or ~/.local/share. Returns 0, or -ENOENT when
 * not even $HOME is known, -ENAMETOOLONG.
 */
int home_find(const char *option, char path[static PATH_MAX]);

/* Makes the folder and what is above it, for its owner's eyes only. 0 or -errno. */
int home_create(const char *path);

#endif
