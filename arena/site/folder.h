/*
 * A site on disk: written to a folder beside it and exchanged in one step, so that readers never
 * see an incomplete site and the folder always exists. Unchanged files are not written again.
 */
#ifndef ARENA_SITE_FOLDER_H
#define ARENA_SITE_FOLDER_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum folder_limits {
    FOLDER_ERROR_BYTES = 512, /* room for one line */
};

struct folder {
    char path[PATH_MAX];  /* path of the site */
    char aside[PATH_MAX]; /* the new site's folder, while it is written */
    bool exists;          /* an older site exists at path */
    int lock_fd;          /* lock of the folder aside, held while it is written */
    char made[PATH_MAX];  /* the folder aside that was created last */
    int64_t written_count, kept_count;
    char error[FOLDER_ERROR_BYTES]; /* after a failure: one line, without a prefix */
};

/*
 * Begins a site at path, which is an older site, an empty folder or does not exist. Returns 0, or
 * -errno with error set and nothing to end; -EEXIST if there is anything else at path.
 */
int folder_begin(struct folder *folder, const char *path);

/* Adds a file such as "a/b.html", and its folders. Returns 0, or -errno with error set. */
int folder_put(struct folder *folder, const char *name, const void *bytes, size_t size);

/*
 * Keeps a file of the older site if its contents begin with start ("": always). Returns false if
 * the file must be added with folder_put.
 */
bool folder_keep(struct folder *folder, const char *name, const char *start);

/*
 * Replaces the older site with the new one, and ends the publication in any case. Returns 0, or
 * -errno with error set.
 */
int folder_commit(struct folder *folder);

/*
 * Removes the folders that killed publications of that site left beside it: those named after the
 * site plus a number, with the mark of a site, and with a lock that nobody holds. folder_begin does
 * this too. Returns 0; or -errno, with error set and nothing removed, if path may not be replaced
 * (see folder_begin).
 */
int folder_remove_left(const char *path, char error[static FOLDER_ERROR_BYTES]);

/* Discards the new site and leaves the older one unchanged. */
void folder_abandon(struct folder *folder);

#endif
