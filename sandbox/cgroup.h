/*
 * Control groups, version 1 or 2, wherever this machine lets the arena make some: exact
 * memory, a count of processes, and in version 2 a freezer. Version 1 has one too, but what
 * it stops cannot be killed, and would outlive an arena that dies. One group a slot, made
 * once and used again.
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
};

/* Where the arena makes its groups: a folder of its own in each tree. */
struct cgroup_site {
    int version;                                             /* 0: nowhere */
    char folders[CGROUP_CONTROLLERS][CGROUP_PATH_BYTES_MAX]; /* "" for what is not to be had */
    char home[CGROUP_PATH_BYTES_MAX]; /* version 2: the group the arena was started in */
};

/* The groups of one slot. */
struct cgroup {
    int version;                        /* 0: none */
    int folder_fds[CGROUP_CONTROLLERS]; /* -1 for what is not to be had */
    int join_fds[CGROUP_CONTROLLERS];   /* a process of one thread that writes "0" here joins; -1:
                                           none */
    int64_t memory_bytes;               /* the limit in force */
    int64_t task_count;
    int64_t base_bytes;     /* in use before the child came: file pages of others */
    int64_t oom_kill_count; /* before the child came */
};

/* Finds where groups can be made, and makes the arena's. Leaves version 0 if nowhere. */
void cgroup_site_init(struct cgroup_site *site);

/* The same, by files as /proc/self/mounts and /proc/self/cgroup are. For tests. */
void cgroup_site_find(struct cgroup_site *site, const char *mounts, const char *groups);

/* Removes the arena's folders; the groups in them are finished. */
void cgroup_site_finish(struct cgroup_site *site);

/* Makes a folder of groups again that somebody removed. Returns 0 or -errno. */
int cgroup_site_remake(const struct cgroup_site *site, int controller);

/* Makes the groups of one slot. Returns 0 or -errno; *cgroup can then be finished all the same. */
int cgroup_init(struct cgroup *cgroup, const struct cgroup_site *site, int number);

/* Removes them. No process is in them any more. */
void cgroup_finish(struct cgroup *cgroup, const struct cgroup_site *site, int number);

/* Was it removed by somebody else, as groups without processes can be? Make it anew then. */
bool cgroup_is_gone(const struct cgroup *cgroup);

/*
 * Is more charged to it than a new child should begin with? What the last one used goes
 * away when the kernel comes to it; a group made anew begins at 0.
 */
bool cgroup_is_stained(const struct cgroup *cgroup);

/* Sets the limits for the next child, and begins to count. Returns 0 or -errno. */
int cgroup_begin(struct cgroup *cgroup, int64_t memory_bytes, int64_t task_count);

/* Did the kernel kill for memory here since cgroup_begin? */
bool cgroup_ran_out_of_memory(const struct cgroup *cgroup);

/* The most memory in use since cgroup_begin, or 0 where the kernel does not say. */
int64_t cgroup_memory_peak_bytes(const struct cgroup *cgroup);

/* Can it stop what is in it? */
bool cgroup_can_freeze(const struct cgroup *cgroup);

/* Stops all in the group, or lets them run on. Returns 0 or -errno. */
int cgroup_freeze(const struct cgroup *cgroup, bool frozen);

#endif
