/*
 * A site on disk: written to a folder beside it and exchanged in one step, so that readers never
 * see an incomplete site and the folder always exists. Files that did not change are not written
 * again: a list in the site, site.keys, has a key of each, which stands for what the file shows,
 * and what the file looked like on disk. The list is believed only if it is whole and was written
 * for pages of the same form, and of its files only those that still look the same.
 *
 * The folder beside the site, .NAME.spare, stays: it is the site of one publication before, and
 * most of its files are those of the site (hard links). So a publication touches only files that
 * changed in this publication or the last one, however many the site has. While another publication
 * uses the spare, a temporary folder NAME.new-PID takes its place.
 *
 * Others may write where the site is. So every folder is opened first, then looked at, and what is
 * removed from it is removed through that descriptor: a folder that somebody puts in its place
 * meanwhile loses nothing.
 */
#ifndef ARENA_SITE_FOLDER_H
#define ARENA_SITE_FOLDER_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "arena/play/place.h"

enum folder_limits {
    FOLDER_ERROR_BYTES = 512, /* room for one line */
};

/* A file of a site. */
struct page_entry {
    char *name;    /* "cup/bot/greedy.html"; owned by the list */
    uint64_t key;  /* of what it shows; 0: none */
    uint64_t sum;  /* of its bytes: folder_sum */
    int64_t size;  /* bytes */
    int64_t inode; /* on disk, as is the time of its last change */
    int64_t changed_ns;
};

/* Zeroed: empty. */
struct page_list {
    struct page_entry *entries; /* in the order in which they were added */
    size_t count, room;
    uint32_t *slots; /* by name: index into entries + 1; 0: free */
    size_t slot_count;
};

struct folder {
    struct place site;        /* the site's folder in its parent */
    char aside[NAME_MAX + 1]; /* name, in the same parent, of the folder that is written */
    bool has_spare;           /* this is the spare, else a temporary one */
    int aside_fd;             /* holds its lock */
    int old_fd;               /* the older site, -1: none */
    uint64_t form;
    struct page_list old_files, files; /* of the older site, of the new one so far */
    char made[PATH_MAX];               /* the folder in it that was created last */
    FILE *page;                        /* the file that is being written, or NULL */
    char *page_bytes;
    size_t page_size;
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
 * Returns an empty stream to write the next file to, NULL with error set if memory runs out. What
 * was written to the one before and not put is lost.
 */
FILE *folder_page(struct folder *folder);

/* Adds the file that was written to this stream, as folder_put does. */
int folder_put_page(struct folder *folder, const char *name, uint64_t key);

/*
 * Keeps a file of the older site if it was added with this key and has not been changed since.
 * Returns false if the file must be added.
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

/* Returns a number for some bytes; sum: of those before them, 0 at first. */
uint64_t folder_sum(uint64_t sum, const void *bytes, size_t size);

#endif
