/* The limits of a child as the kernel knows them: setrlimit's, hard and soft alike. */
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

/* What else decides the limits, beside what was asked for. */
struct limits_setting {
    bool memory_cgroup; /* memory is counted by a cgroup: untouched reservations are free */
    bool own_count;     /* processes of this id are the child's alone: they can be limited */
    bool writable_folder;
    int data_shares; /* processes among which memory is divided, since nobody adds it up; 0 or 1 */
};

/* Zeroes that mean "the default" replaced by it. */
struct sandbox_limits limits_resolve(const struct sandbox_limits *asked);

/* Works out the limits of resolved figures. */
void limits_init(struct limits *limits, const struct sandbox_limits *resolved,
                 const struct limits_setting *setting);

#endif
