/*
 * A site on disk: written aside and exchanged in one step, so that no reader sees half of it and
 * the folder never vanishes. Files that did not change are not written again.
 */
#ifndef ARENA_SITE_FOLDER_H
#define ARENA_SITE_FOLDER_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum folder_limits {
    FOLDER_ERROR_BYTES = 512, /* of one line */
};

struct folder {
    char path[PATH_MAX];  /* of the site */
    char aside[PATH_MAX]; /* beside it, while it is written */
    bool exists;          /* there is an older site at path */
    int lock_fd;          /* of the folder aside, held while it is written */
    char made[PATH_MAX];  /* the folder aside that was made last */
    int64_t written_count, kept_count;
    char error[FOLDER_ERROR_BYTES]; /* after a failure: one line, without a name before it */
};

/*
 * Begins a site at path, which is an older site, an empty folder or nothing. Returns 0, or -errno
 * with error set; -EEXIST where something else is there. Then nothing is to be ended.
 */
int folder_begin(struct folder *folder, const char *path);

/* Adds a file, "a/b.html", with its folders. 0 or -errno with error set. */
int folder_put(struct folder *folder, const char *name, const void *bytes, size_t size);

/* Takes a file of the older site over if it begins with start ("": whatever it begins with).
   False: it is to be put. */
bool folder_keep(struct folder *folder, const char *name, const char *start);

/* Puts the new site in the older one's place. 0 or -errno with error set; it has ended then. */
int folder_commit(struct folder *folder);

/*
 * Removes what publications of that site left beside it when they were killed: a folder of its name
 * and a number, marked as theirs, whose lock nobody holds. folder_begin does so as well. Returns 0,
 * or -errno with error set where path may not be replaced (folder_begin); then nothing is removed.
 */
int folder_remove_left(const char *path, char error[static FOLDER_ERROR_BYTES]);

/* Leaves the older site as it is. */
void folder_abandon(struct folder *folder);

#endif
