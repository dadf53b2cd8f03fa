/*
 * What a child starts with: its limits as setrlimit takes them, and its environment, which contains
 * nothing of the arena's own.
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

/* What determines the limits, besides the figures that were asked for. */
struct limits_setting {
    bool memory_cgroup; /* a cgroup counts memory, so reserved but unused memory is free */
    bool own_count;     /* no other process has this UID, so RLIMIT_NPROC works */
    bool writable_folder;
    int data_shares; /* processes to divide memory among, if nothing counts their sum; 0 or 1 */
};

/* Returns the limits with each 0 that means "the default" replaced by that default. */
struct sandbox_limits limits_resolve(const struct sandbox_limits *asked);

/* Computes the rlimits from resolved limits. */
void limits_init(struct limits *limits, const struct sandbox_limits *resolved,
                 const struct limits_setting *setting);

struct environment {
    char *variables[32]; /* ends with NULL; static strings, or the limits below */
    char go_limit[48], node_limit[64], java_limit[48];
};

/* Do not move *environment afterwards: it points into itself. */
void environment_init(struct environment *environment, const struct sandbox_command *command,
                      const struct sandbox_limits *limits);

#endif
