/*
 * A site on disk. A publication writes the new site to a folder beside the older site and exchanges
 * both in one step, so the site's folder always exists and readers never see an incomplete site.
 * Files that did not change are not written again: a list in the site, site.keys, has for each file
 * a key, which stands for what the file shows, and the file's size, inode and time of change. The
 * arena trusts the list only if its checksum is right and the list was written for pages of the
 * same form; and it keeps a file only if the file still looks on disk as the list says.
 *
 * The folder beside the site, .NAME.spare, stays after a publication: it then holds the site before
 * the newest, and most of its files are hard links to files of the site. So a publication touches
 * only the files that changed in this publication or the last one, however many files the site has.
 * While another publication uses the spare, a temporary folder NAME.new-PID takes its place.
 *
 * Other users may be able to write to the parent folder. So the arena opens every folder before
 * looking at it, and removes files only through that descriptor: if somebody puts another folder in
 * its place meanwhile, that folder loses nothing.
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
    char *name;    /* path in the site, "cup/bot/greedy.html"; owned by the list */
    uint64_t key;  /* number that changes with what the file shows; 0: no key */
    uint64_t sum;  /* folder_sum of the file's bytes */
    int64_t size;  /* size in bytes */
    int64_t inode; /* inode on disk */
    int64_t changed_ns;
};

/* A list of files with a hash table by name. A zeroed list is empty. */
struct page_list {
    struct page_entry *entries; /* files in the order in which they were added */
    size_t count, room;
    uint32_t *slots; /* hash table by name: index into entries + 1; 0: free slot */
    size_t slot_count;
};

struct folder {
    struct place site;        /* the site's parent folder, and its name there */
    char aside[NAME_MAX + 1]; /* name of the folder beside the site that is written */
    /* True: aside is the spare folder; false: aside is a temporary folder. */
    bool has_spare;
    int aside_fd; /* descriptor of the folder aside, open and locked */
    int old_fd;   /* the older site's folder, -1: there is none */
    uint64_t form;
    /* Files of the older site; files that the new site has so far. */
    struct page_list old_files, files;
    char made[PATH_MAX]; /* path of the folder that make_parents created last */
    FILE *page;          /* stream of the file that the caller is writing, or NULL */
    char *page_bytes;
    size_t page_size;
    int64_t written_count, kept_count;
    char error[FOLDER_ERROR_BYTES]; /* after a failure: one line, without a prefix */
};

/*
 * Begins a publication of a site at path: an older site, an empty folder, or a path that does not
 * exist. form stands for how this version of the arena writes pages; files of a site of another
 * form are not kept. Returns 0, or -errno with error set, after which the caller must not call
 * folder_commit or folder_abandon; -EEXIST if anything else is at path.
 */
int folder_begin(struct folder *folder, const char *path, uint64_t form);

/*
 * Adds a file such as "a/b.html", and creates its folders. key stands for the file's contents; 0 if
 * there is no key. Keeps the older site's file if that has the same bytes. Returns 0, or -errno
 * with error set.
 */
int folder_put(struct folder *folder, const char *name, uint64_t key, const void *bytes,
               size_t size);

/*
 * Returns an empty stream for the next file, or NULL with error set if memory runs out. Discards a
 * previous stream that folder_put_page has not added.
 */
FILE *folder_page(struct folder *folder);

/* Adds the file that the caller wrote to the stream of folder_page. Otherwise like folder_put. */
int folder_put_page(struct folder *folder, const char *name, uint64_t key);

/*
 * Keeps a file of the older site if the file was added with this key and nobody has changed it
 * since. Returns false if the caller must add the file.
 */
bool folder_keep(struct folder *folder, const char *name, uint64_t key);

/*
 * Replaces the older site with the new one. Ends the publication even if this fails. Returns 0, or
 * -errno with error set.
 */
int folder_commit(struct folder *folder);

/*
 * Removes the temporary folders that killed publications of the site at path left beside it:
 * folders named NAME.new-PID that have the mark of a site and that nobody has locked. folder_begin
 * does this too. Returns 0; or -errno, with error set and nothing removed, if path may not be
 * replaced (see folder_begin).
 */
int folder_remove_left(const char *path, char error[static FOLDER_ERROR_BYTES]);

/* Ends a publication: discards the new site and leaves the older site unchanged. */
void folder_abandon(struct folder *folder);

/* Returns a checksum of the bytes, continued from sum: 0, or the checksum of the bytes before. */
uint64_t folder_sum(uint64_t sum, const void *bytes, size_t size);

#endif
