/*
 * A site on disk: written to a folder beside it and exchanged in one step, so that readers never
 * see an incomplete site and the folder always exists. Files that did not change are not written
 * again: a list in the site has a key of each (page_list.h).
 *
 * The folder beside it, .NAME.spare, stays: it is the site of one publication before, and most of
 * its files are those of the site (hard links). So a publication touches only files that changed in
 * this publication or the last one, however many the site has. While another publication uses the
 * spare, a temporary folder NAME.new-PID takes its place.
 */
#ifndef ARENA_SITE_FOLDER_H
#define ARENA_SITE_FOLDER_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arena/site/page_list.h"

enum folder_limits {
    FOLDER_ERROR_BYTES = 512, /* room for one line */
};

struct folder {
    char path[PATH_MAX];  /* path of the site */
    char aside[PATH_MAX]; /* the new site's folder, while it is written */
    bool exists;          /* an older site exists at path */
    bool has_spare;       /* the folder aside is the spare, else a temporary one */
    int aside_fd;         /* holds its lock */
    int old_fd;           /* the older site, -1: none */
    uint64_t form;
    struct page_list old_files, files; /* of the older site, of the new one so far */
    char made[PATH_MAX];               /* the folder in it that was created last */
    int64_t written_count, kept_count;
    char error[FOLDER_ERROR_BYTES]; /* after a failure: one line, without a prefix */
};

/*
 * Begins a site at path, which is an older site, an empty folder or does not exist. form stands for
 * how pages are written: of a site of another form nothing is kept. Returns 0, or -errno with error
 * set and nothing to end; -EEXIST if there is anything else at path.
 */
int folder_begin(struct folder *folder, const char *path, uint64_t form);

/*
 * Adds a file such as "a/b.html", and its folders. key stands for its contents, 0: it has none. The
 * older site's file is kept if it has the same bytes. Returns 0, or -errno with error set.
 */
int folder_put(struct folder *folder, const char *name, uint64_t key, const void *bytes,
               size_t size);

/*
 * Keeps a file of the older site if it was added with this key and has not been changed since.
 * Returns false if the file must be added with folder_put.
 */
bool folder_keep(struct folder *folder, const char *name, uint64_t key);

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
