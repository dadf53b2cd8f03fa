/*
 * Files where others may write too: replays, pages, logs, figures, sites. A path is taken apart
 * once: its folder is opened, and everything then happens to a name in that folder. No link is
 * followed at that name, nothing is written through a file that somebody else made, and readers see
 * a file whole or not at all. docs/operations.md lists the files that the arena makes this way.
 */
#ifndef ARENA_PLAY_PLACE_H
#define ARENA_PLAY_PLACE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

struct place {
    int folder_fd;
    char name[NAME_MAX + 1]; /* in that folder; never "." or ".." */
};

/*
 * Opens the folder of path, which may end with slashes. Returns 0, or -errno with nothing to close;
 * -EINVAL for a path that ends with "." or "..", or names no file.
 */
int place_open(struct place *place, const char *path);
void place_close(struct place *place);

/* Writes a file that does not exist yet. Returns 0 or -errno (-EEXIST). */
int place_write_new(const char *path, const void *bytes, size_t size);

/* Returns whether a file may be replaced; it is open for reading at its beginning. */
typedef bool place_check_fn(int fd);

/*
 * The same, but replaces an older file if check_fn allows it (NULL: any file that is no link).
 * Returns -EEXIST, with nothing changed, if it does not.
 */
int place_write_over(const char *path, const void *bytes, size_t size, place_check_fn *check_fn);

/* Writes all bytes to a descriptor. Returns 0 or -errno. */
int place_write_all(int fd, const void *bytes, size_t size);

#endif
