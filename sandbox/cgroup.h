/* SPDX-License-Identifier: MIT */
/*
 * Control groups of version 1 or 2, if the machine lets the arena create them: an exact memory
 * limit, a process limit, a count of processor time and, in version 2, a freezer. The arena does
 * not use the freezer of version 1, because SIGKILL does not end a frozen process there: the
 * process would outlive the arena. The arena creates the groups of a slot once and reuses them.
 */
#ifndef SANDBOX_CGROUP_H
#define SANDBOX_CGROUP_H

#include <stdbool.h>
#include <stdint.h>

enum cgroup_controller {
    CGROUP_MEMORY,
    CGROUP_PIDS,
    CGROUP_CPU,
    CGROUP_CPUACCT, /* version 1 only: counts processor time, which version 2 always does */
    CGROUP_CONTROLLERS,
};

enum cgroup_limits {
    CGROUP_PATH_BYTES_MAX = 512,
    CGROUP_WEIGHT_BOT = 100, /* the kernel's default weight */
    CGROUP_WEIGHT_BUILD = 10,
    CGROUP_WEIGHT_IDLE = 1, /* of all bots and builds together: cgroup_site_is_idle */
};

/* Where the arena creates control groups: one folder for each hierarchy of controllers. */
struct cgroup_site {
    int version;                                             /* 0: no control groups */
    char folders[CGROUP_CONTROLLERS][CGROUP_PATH_BYTES_MAX]; /* "" if not available */
    char home[CGROUP_PATH_BYTES_MAX]; /* version 2: group in which the arena was started; "": the
                                         arena has not left its group */
};

/* The groups of one slot. */
struct cgroup {
    int version;                        /* 0: no control groups */
    int folder_fds[CGROUP_CONTROLLERS]; /* descriptors of the groups' folders; -1: not available */
    int join_fds[CGROUP_CONTROLLERS];   /* files to which a single-threaded process writes "0" to
                                           join the group; -1: none */
    int64_t memory_bytes;               /* memory limit in force */
    int64_t task_count;
    int cpu_weight;      /* processor weight that the arena has set; 0: not set yet */
    int64_t base_cpu_us; /* processor time of the children before */
    int64_t base_bytes;  /* memory that the kernel charged to the group before the child started */
    int64_t oom_kill_count; /* number of OOM kills in the group before the child started */
    int64_t strike_count;   /* version 2: number of times the group had reached its limit before */
};

/* The group in which the arena was started, and with it every child without a memory group. */
struct cgroup_home {
    int events_fd; /* file with the group's number of OOM kills; -1: not available */
    /* What the group may use, by its own limits and those of the groups around it; INT64_MAX: no
       limit. */
    int64_t memory_bytes, task_count;
};

enum cgroup_oom {
    CGROUP_OOM_NONE,    /* the kernel's OOM killer killed no process of the group */
    CGROUP_OOM_OWN,     /* it killed one after the group had reached its own limit */
    CGROUP_OOM_OUTSIDE, /* it killed one within the limit: the machine or a group around was full */
};

/* Finds the arena's own group. Call before cgroup_site_init, which may move the arena. */
void cgroup_home_init(struct cgroup_home *home);

/*
 * For tests: does the work of cgroup_home_init with the files `mounts` and `groups` in place of
 * /proc/self/mounts and /proc/self/cgroup.
 */
void cgroup_home_find(struct cgroup_home *home, const char *mounts, const char *groups);

/* Returns how many processes of the arena's own group the OOM killer has killed, or 0. */
int64_t cgroup_home_oom_kills(const struct cgroup_home *home);

void cgroup_home_finish(struct cgroup_home *home);

/*
 * True if the arena runs under SCHED_IDLE, and so does what nobody waits for. Its children inherit
 * that policy, which counts only among the processes of one group or session: between groups and
 * sessions weights count.
 */
bool cgroup_site_is_idle(void);

/*
 * Finds where the arena can create control groups, and creates its folders there, with a low weight
 * if cgroup_site_is_idle. Sets site->version to 0 if there is no such place.
 */
void cgroup_site_init(struct cgroup_site *site);

/*
 * For tests: does the work of cgroup_site_init with the files `mounts` and `groups` in place of
 * /proc/self/mounts and /proc/self/cgroup.
 */
void cgroup_site_find(struct cgroup_site *site, const char *mounts, const char *groups);

/* Removes the arena's folders. Call after cgroup_finish of every group. */
void cgroup_site_finish(struct cgroup_site *site);

/*
 * Creates the control groups of the children's slot `number`. Returns 0 or -errno; call
 * cgroup_finish in both cases.
 */
int cgroup_init(struct cgroup *cgroup, const struct cgroup_site *site, int number);

/* Removes the control groups of a slot. No process may be left in them. */
void cgroup_finish(struct cgroup *cgroup, const struct cgroup_site *site, int number);

/*
 * True if another program has removed a group while the group had no process. The caller must then
 * create the groups anew.
 */
bool cgroup_is_gone(const struct cgroup *cgroup);

/*
 * True if the kernel still charges much memory of earlier children to the group, as it may for a
 * while. The caller must then create the groups anew, because a new group starts at 0.
 */
bool cgroup_is_stained(const struct cgroup *cgroup);

/*
 * Sets the limits and the weight (CGROUP_WEIGHT_BOT or CGROUP_WEIGHT_BUILD) for the next child, and
 * starts to count OOM kills, memory and processor time anew. Returns 0 or -errno.
 */
int cgroup_begin(struct cgroup *cgroup, int64_t memory_bytes, int64_t task_count, int cpu_weight);

/* True if the group limits memory. */
bool cgroup_has_memory(const struct cgroup *cgroup);

/* Returns whether the kernel's OOM killer killed a process of the group since cgroup_begin. */
enum cgroup_oom cgroup_oom(const struct cgroup *cgroup);

/* Returns the peak memory use since cgroup_begin, or 0 if the kernel does not report it. */
int64_t cgroup_memory_peak_bytes(const struct cgroup *cgroup);

/*
 * Returns the processor time since cgroup_begin of all processes that the group has or had; -1 if
 * the kernel does not report it.
 */
int64_t cgroup_cpu_us(const struct cgroup *cgroup);

/* True if the group has a freezer. */
bool cgroup_can_freeze(const struct cgroup *cgroup);

/* Freezes all processes of the group, or thaws them. Returns 0 or -errno. */
int cgroup_freeze(const struct cgroup *cgroup, bool frozen);

#endif
