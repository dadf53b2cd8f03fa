/* SPDX-License-Identifier: MIT */
/*
 * Landlock restricts which files a child may open, by inode and not by path, in addition to what
 * the child's root contains. Each child has a rule set, which a descriptor stands for.
 */
#ifndef SANDBOX_LANDLOCK_H
#define SANDBOX_LANDLOCK_H

#include <stdbool.h>
#include <stdint.h>

enum landlock_rights {
    LANDLOCK_LIST,  /* list folders */
    LANDLOCK_READ,  /* read files, list folders */
    LANDLOCK_RUN,   /* read, list and execute files */
    LANDLOCK_WRITE, /* read, write, create and remove files; no devices or sockets */
    LANDLOCK_BUILD, /* LANDLOCK_RUN and LANDLOCK_WRITE together */
};

/* Returns the kernel's Landlock ABI version, or 0 if the kernel has no Landlock. */
int landlock_abi(void);

/* Returns the enum sandbox_layer bits that a rule set of this version enforces. */
uint32_t landlock_layers(int abi);

/*
 * Creates a rule set that allows no file and, unless `tcp` is true, no TCP. Returns the rule set's
 * descriptor, which the caller closes, or -errno.
 */
int landlock_open(int abi, bool tcp);

/* Allows the file or folder path_fd and everything below it. Returns 0 or -errno. */
int landlock_allow(int ruleset_fd, int abi, int path_fd, enum landlock_rights rights);

#endif
