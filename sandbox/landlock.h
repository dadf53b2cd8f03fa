/*
 * Landlock: what a child may open, decided by inode and not by path, whatever it is
 * allowed to see. A rule set is made once a child and lives in a descriptor.
 */
#ifndef SANDBOX_LANDLOCK_H
#define SANDBOX_LANDLOCK_H

#include <stdint.h>

enum landlock_rights {
    LANDLOCK_LIST,  /* list folders */
    LANDLOCK_READ,  /* read files, list folders */
    LANDLOCK_RUN,   /* the same, and execute */
    LANDLOCK_WRITE, /* read, and change everything but devices and sockets */
    LANDLOCK_BUILD, /* both: execute what was written */
};

/* The version that the kernel offers, 0 for none. */
int landlock_abi(void);

/* enum sandbox_layer bits that a rule set of this version holds. */
uint32_t landlock_layers(int abi);

/* A rule set that allows nothing. The caller closes it. Returns a descriptor or -errno. */
int landlock_open(int abi);

/* Allows what lies at or below the file or folder path_fd. Returns 0 or -errno. */
int landlock_allow(int ruleset_fd, int abi, int path_fd, enum landlock_rights rights);

#endif
