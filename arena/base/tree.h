/* SPDX-License-Identifier: MIT */
/*
 * Handles a folder and its contents as strangers may have left them: nested without limit, without
 * permissions, with links, and changed by others at the same time. Opens each folder through the
 * descriptor of its parent, follows no link and enters no other file system, so nothing outside the
 * folder is touched.
 *
 * Functions return 0 or -errno, unless they say otherwise.
 */
#ifndef ARENA_BASE_TREE_H
#define ARENA_BASE_TREE_H

#include <stdbool.h>
#include <stdint.h>

enum tree_limits {
    TREE_DEPTH_MAX = 128, /* maximum depth for tree_set_plain_modes and tree_measure */
};

/*
 * Opens a file, folder or link by its path below an open folder. Follows no link, not even in the
 * middle of the path. Returns a descriptor, or -1 with errno set.
 */
int tree_open_below(int folder_fd, const char *path, int flags);

/*
 * Removes a folder of any depth, or a file. Returns -ENOENT if there is nothing at path. If an
 * entry cannot be removed, removes all others and returns the first error.
 */
int tree_remove(const char *path);

/*
 * Sets the mode of every folder to 0755, and of every file to 0755 if it had an execute bit, else
 * to 0644. This clears set-user-ID, set-group-ID and sticky bits. Returns -ELOOP for a tree deeper
 * than TREE_DEPTH_MAX.
 */
int tree_set_plain_modes(const char *path);

/* The disk space that a tree uses. A file with several hard links counts once for each link. */
struct tree_size {
    int64_t bytes; /* size of allocated blocks, so holes in files do not count */
    int64_t inode_count;
    int64_t file_bytes; /* sizes of the files, so holes in them count; has no limit; INT64_MAX if
                           their sum is larger */
};

/*
 * Adds up the contents of path in *size. Stops once one of the first two exceeds its limit in
 * `enough`. Skips entries that vanish or change their kind. Calls meanwhile_fn, unless it is NULL,
 * before each entry, because a walk may take seconds. Returns -EACCES for an unreadable folder,
 * -ELOOP for a tree deeper than TREE_DEPTH_MAX.
 */
int tree_measure(const char *path, const struct tree_size *enough, struct tree_size *size,
                 void (*meanwhile_fn)(void *owner), void *owner);

#endif
