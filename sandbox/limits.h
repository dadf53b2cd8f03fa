/* SPDX-License-Identifier: MIT */
/*
 * Computes the resource limits (for setrlimit) and the environment variables with which a child
 * starts. The environment contains no variable of the arena's environment.
 */
#ifndef SANDBOX_LIMITS_H
#define SANDBOX_LIMITS_H

#include <stdbool.h>
#include <sys/resource.h>

#include "sandbox/sandbox.h"

enum {
    LIMITS_MAX = 16,
    LIMITS_THREADS_DEFAULT = 128,
    LIMITS_OPEN_FILES_DEFAULT = 256,
};

struct limit {
    int resource;
    struct rlimit values;
};

struct limits {
    struct limit entries[LIMITS_MAX];
    int count;
};

/* What changes the limits, besides the requested figures. */
struct limits_setting {
    bool memory_cgroup; /* a cgroup limits the memory, so RLIMIT_DATA may be larger */
    bool own_count; /* the kernel counts the child's processes separately, because it has a UID or
                       user namespace of its own */
    bool writable_folder;
    int data_shares; /* number of processes that share memory_bytes equally; 0 or 1: one process has
                        all */
};

/* Returns a copy of `asked` in which default limits replace zeroes. */
struct sandbox_limits limits_resolve(const struct sandbox_limits *asked);

/*
 * Returns what a child with resolved limits may take. Without a memory cgroup, its memory is the
 * memory limit and what the kernel may keep for the child beside it, which no limit counts.
 */
struct sandbox_share limits_share(const struct sandbox_limits *resolved, bool memory_cgroup);

/* Computes the rlimits from resolved limits. */
void limits_init(struct limits *limits, const struct sandbox_limits *resolved,
                 const struct limits_setting *setting);

struct environment {
    char *variables[32]; /* the variables, ending with NULL: static strings, and pointers to the
                            arrays below */
    char go_limit[48], node_limit[64], java_limit[48];
};

/*
 * Sets the child's environment. Do not copy *environment afterwards, because its pointers refer to
 * itself.
 */
void environment_init(struct environment *environment, const struct sandbox_command *command,
                      const struct sandbox_limits *limits);

#endif
