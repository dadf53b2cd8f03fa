/*
 * A folder and all that lies below it, as strangers may have left it: nested without end, without
 * rights, with links, and changed by somebody else meanwhile. Everything is reached through
 * descriptors of the folders passed; no link is followed and no other file system entered, so
 * nothing outside the folder is touched.
 *
 * Calls return 0 or -errno.
 */
#ifndef ARENA_PLAY_TREE_H
#define ARENA_PLAY_TREE_H

#include <stdbool.h>
#include <stdint.h>

enum tree_limits {
    TREE_DEPTH_MAX = 128, /* of tree_set_plain_modes and tree_measure: folders within folders */
};

/*
 * Removes a folder (or a file) of any depth. -ENOENT if there is none. What cannot be removed
 * stays, the rest goes, and the first error is returned.
 */
int tree_remove(const char *path);

/*
 * Makes every folder 0755, every file 0755 where it had an execute bit and 0644 elsewhere: no
 * set-user-id, set-group-id or sticky bit is left. -ELOOP beyond TREE_DEPTH_MAX.
 */
int tree_set_plain_modes(const char *path);

/* What a tree takes of a disk. A file of several names counts with each. */
struct tree_size {
    int64_t bytes; /* of blocks: holes count nothing */
    int64_t inode_count;
};

/*
 * Adds up what lies below path, and stops once either sum is over that of enough. Entries that
 * vanish meanwhile do not count. -EACCES for a folder that cannot be read, -ELOOP beyond
 * TREE_DEPTH_MAX.
 */
int tree_measure(const char *path, const struct tree_size *enough, struct tree_size *size);

#endif
