/*
 * Control groups of version 1 or 2, where the machine lets the arena create them: an exact memory
 * limit, a process limit and, in version 2, a freezer. The freezer of version 1 is not used: a
 * frozen process could not be killed and would outlive an arena that dies. Each slot has one group,
 * created once and reused.
 */
#ifndef SANDBOX_CGROUP_H
#define SANDBOX_CGROUP_H

#include <stdbool.h>
#include <stdint.h>

enum cgroup_controller {
    CGROUP_MEMORY,
    CGROUP_PIDS,
    CGROUP_CONTROLLERS,
};

enum cgroup_limits {
    CGROUP_PATH_BYTES_MAX = 512,
    CGROUP_WEIGHT_BOT = 100, /* the kernel's default */
    CGROUP_WEIGHT_BUILD = 10,
};

/* Where the arena creates its groups: one folder of its own per hierarchy. */
struct cgroup_site {
    int version;                                             /* 0: no control groups */
    char folders[CGROUP_CONTROLLERS][CGROUP_PATH_BYTES_MAX]; /* "" if not available */
    char home[CGROUP_PATH_BYTES_MAX]; /* version 2: the group the arena was started in */
};

/* The groups of one slot. */
struct cgroup {
    int version;                        /* 0: no control groups */
    int folder_fds[CGROUP_CONTROLLERS]; /* -1 if not available */
    int join_fds[CGROUP_CONTROLLERS];   /* a single-threaded process that writes "0" here joins; -1:
                                           none */
    int64_t memory_bytes;               /* the limit in force */
    int64_t task_count;
    int cpu_weight;         /* version 2, where the controller is delegated; 0: not set yet */
    int64_t base_bytes;     /* charged before the child started: page cache of others */
    int64_t oom_kill_count; /* OOM kills counted before the child started */
};

/*
 * Finds where groups can be created and creates the arena's folders. version is 0 if there is no
 * such place.
 */
void cgroup_site_init(struct cgroup_site *site);

/* For tests: the same, with files in place of /proc/self/mounts and /proc/self/cgroup. */
void cgroup_site_find(struct cgroup_site *site, const char *mounts, const char *groups);

/* Removes the arena's folders, once every group in them is finished. */
void cgroup_site_finish(struct cgroup_site *site);

/* Creates the groups of one slot. Returns 0 or -errno; finish *cgroup in either case. */
int cgroup_init(struct cgroup *cgroup, const struct cgroup_site *site, int number);

/* Removes the groups, which must hold no process any more. */
void cgroup_finish(struct cgroup *cgroup, const struct cgroup_site *site, int number);

/*
 * True if somebody else removed the group, as is possible while it is empty; create it anew then.
 */
bool cgroup_is_gone(const struct cgroup *cgroup);

/*
 * True if more memory is charged to the group than a new child should start with. The kernel
 * releases what the last child used only after a while; a new group starts at 0.
 */
bool cgroup_is_stained(const struct cgroup *cgroup);

/*
 * Sets the limits and the weight (CGROUP_WEIGHT...) for the next child and starts counting. Returns
 * 0 or -errno.
 */
int cgroup_begin(struct cgroup *cgroup, int64_t memory_bytes, int64_t task_count, int cpu_weight);

/* True if the kernel's OOM killer killed a process of the group since cgroup_begin. */
bool cgroup_ran_out_of_memory(const struct cgroup *cgroup);

/* Returns the peak memory use since cgroup_begin, or 0 if the kernel does not report it. */
int64_t cgroup_memory_peak_bytes(const struct cgroup *cgroup);

/* True if the group has a freezer. */
bool cgroup_can_freeze(const struct cgroup *cgroup);

/* Freezes all processes of the group, or thaws them. Returns 0 or -errno. */
int cgroup_freeze(const struct cgroup *cgroup, bool frozen);

#endif
