/*
 * A folder and its contents, as strangers may have left them: nested without limit, without
 * permissions, with links, and changed at the same time by others. Reaches everything through
 * descriptors of the folders it passed; follows no link and enters no other file system, so nothing
 * outside the folder is touched.
 *
 * Calls return 0 or -errno.
 */
#ifndef ARENA_PLAY_TREE_H
#define ARENA_PLAY_TREE_H

#include <stdbool.h>
#include <stdint.h>

enum tree_limits {
    TREE_DEPTH_MAX = 128, /* nesting limit of tree_set_plain_modes and tree_measure */
};

/*
 * Removes a folder of any depth, or a file. Returns -ENOENT if there is none. If something cannot
 * be removed, removes the rest and returns the first error.
 */
int tree_remove(const char *path);

/*
 * Sets the mode of every folder to 0755, and of every file to 0755 if it had an execute bit, else
 * to 0644; this clears set-user-ID, set-group-ID and sticky bits. Returns -ELOOP beyond
 * TREE_DEPTH_MAX.
 */
int tree_set_plain_modes(const char *path);

/* The disk space of a tree. A file with several hard links counts once for each. */
struct tree_size {
    int64_t bytes; /* of allocated blocks, so holes do not count */
    int64_t inode_count;
};

/*
 * Adds up the contents of path; stops once either sum exceeds that of enough. Entries that vanish
 * or become something else meanwhile do not count. Returns -EACCES for an unreadable folder, -ELOOP
 * beyond TREE_DEPTH_MAX.
 */
int tree_measure(const char *path, const struct tree_size *enough, struct tree_size *size);

#endif
