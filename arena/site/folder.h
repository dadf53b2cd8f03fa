/* SPDX-License-Identifier: MIT */
/*
 * A site on disk. A publication writes the new site to a folder beside the older site and exchanges
 * both in one step, so the site's folder always exists and readers never see an incomplete site.
 * Files that did not change are not written again: a list in the site, site.keys, has for each file
 * a key, which stands for what the file shows, and the file's size, inode and time of change. The
 * arena keeps a file only if it still looks on disk as the list says.
 *
 * Beside a page of FOLDER_PACKED_BYTES or more lies the same as NAME.gz, for browsers that take it
 * so: web servers send it instead (nginx: gzip_static). It is written, kept and removed with its
 * page.
 *
 * The folder beside the site, .NAME.spare, stays after a publication: it holds links to the files
 * of the site that did not change, and nothing of older pages. So a publication touches only the
 * files that changed in this publication or the last one, however many files the site has. A
 * publication locks the file .NAME.lock beside the site: one publication of a site runs at a time.
 * The next one uses what a killed one left in the spare.
 *
 * Other users may be able to write to the parent folder. So the arena opens every folder before
 * looking at it, and removes files only through that descriptor: if somebody puts another folder in
 * its place meanwhile, that folder loses nothing.
 */
#ifndef ARENA_SITE_FOLDER_H
#define ARENA_SITE_FOLDER_H

#include <jansson.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "arena/base/place.h"

enum folder_limits {
    FOLDER_PACKED_BYTES = 1024, /* a smaller page is not compressed: it takes one packet anyway */
    FOLDER_ERROR_BYTES = 512,   /* room for one line */
    FOLDER_NAME_BYTES = 512,    /* room for a file's path in the site */
};

struct folder {
    int failed; /* -errno of the first failure; the functions then do nothing. 0: none */
    char error[FOLDER_ERROR_BYTES]; /* after a failure: one line, without a prefix */
    int64_t written_count, kept_count;

    /* The rest belongs to folder.c. */
    struct place site; /* the site's parent folder, and its name there */
    char
        spare[NAME_MAX + 1]; /* name of the folder beside the site, where the new site is written */
    int new_fd;              /* that folder, open */
    bool is_fresh; /* this publication made it, so that nothing need be looked for in it */
    int lock_fd;   /* the locked file; -1: none */
    int old_fd;    /* the older site's folder, -1: there is none */
    uint64_t form;
    json_t *old_files,
        *files; /* lists of the files of the older site and, so far, of the new one */
    char made[FOLDER_NAME_BYTES]; /* path of the folder that make_parents created last */
    /* The file that the caller is writing. */
    char name[FOLDER_NAME_BYTES];
    FILE *page;
    char *bytes;
    size_t size;
    struct gzip *gzip; /* NULL: ISA-L is missing */
};

/*
 * Begins a publication of a site at path: an older site, an empty folder, or a path that does not
 * exist. form stands for how this version of the arena writes pages; files of a site of another
 * form are not kept. `common` as gzip_create takes them. Returns 0, or -errno with error set, after
 * which the caller must not call folder_commit or folder_abandon: -EEXIST if anything else is at
 * path, -EBUSY if another publication is under way.
 */
int folder_begin(struct folder *folder, const char *path, uint64_t form, const char *const *common);

/*
 * Keeps a file of the older site if the file was added with this key, which is not 0, and nobody
 * has changed it since. Returns false if the caller must add the file; always true after a failure.
 */
bool folder_keep(struct folder *folder, const char *name, uint64_t key);

/*
 * Returns the names of the files that the older site has in the folder at `path`, whichever program
 * wrote them, as the keys of an object that the caller releases.
 */
json_t *folder_names(const struct folder *folder, const char *path);

/*
 * Begins a file such as "a/b.html" and creates its folders. Returns a stream for its content, which
 * the caller ends with folder_put_page; or NULL if folder_keep has kept the older file, or after a
 * failure.
 */
FILE *folder_page(struct folder *folder, const char *name, uint64_t key);

/*
 * Adds the file that the caller wrote, under this key; 0 if every publication must write the file.
 * Keeps the older site's file if that has the same bytes.
 */
void folder_put_page(struct folder *folder, uint64_t key);

/* Records a failure of the publication, with its words, unless one is recorded. Returns the first.
 */
int folder_fail(struct folder *folder, int error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/*
 * Replaces the older site with the new one, unless the publication has failed. Ends the publication
 * in any case. Returns folder->failed.
 */
int folder_commit(struct folder *folder);

/*
 * Returns 0 if a site may be published at path (see folder_begin), else -errno after writing one
 * line to error.
 */
int folder_check(const char *path, char error[static FOLDER_ERROR_BYTES]);

/* Ends a publication: discards the new site and leaves the older site unchanged. */
void folder_abandon(struct folder *folder);

#endif
