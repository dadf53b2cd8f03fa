/* The limits of a child as setrlimit takes them; soft and hard limits are equal. */
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

#endif
