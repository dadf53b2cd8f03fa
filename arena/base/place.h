/* SPDX-License-Identifier: MIT */
/*
 * Writes files where other users may write too: replays, pages, logs, figures, sites. Opens the
 * folder of a path once, and then uses only names in that open folder. Follows no link, and writes
 * to no file of another program. Readers see no file or the whole file. docs/operations.md lists
 * the files that the arena writes this way.
 */
#ifndef ARENA_BASE_PLACE_H
#define ARENA_BASE_PLACE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

struct place {
    int folder_fd;
    char name[NAME_MAX + 1]; /* name in the folder; never "." or ".." */
};

/*
 * Opens the folder that contains path; path may end with slashes. Returns 0; or -errno with nothing
 * to close: -EINVAL if path ends with "." or "..", or names no file.
 */
int place_open(struct place *place, const char *path);
void place_close(struct place *place);

/* Writes a file that does not exist yet. Returns 0 or -errno (-EEXIST if there is a file). */
int place_write_new(const char *path, const void *bytes, size_t size);

/* Returns whether a file may be replaced. fd is open for reading, at the file's beginning. */
typedef bool place_check_fn(int fd);

/*
 * Writes a file, and replaces an older file if check_fn allows it (NULL: any file that is not a
 * link). Returns 0 or -errno; -EEXIST, with nothing changed, if the older file may not be replaced.
 */
int place_write_over(const char *path, const void *bytes, size_t size, place_check_fn *check_fn);

/*
 * Returns what to do about an error of writing a file, to be printed after strerror; error is an
 * errno, or negative: -errno. Returns "" if there is no advice.
 */
const char *place_cure(int error);

#endif
