/* Internal to the sandbox: struct sandbox, created once per arena, and the private part of a child.
 */
#ifndef SANDBOX_PREPARED_H
#define SANDBOX_PREPARED_H

#include <pthread.h>
#include <unistd.h>

#include "sandbox/cgroup.h"
#include "sandbox/confine.h"
#include "sandbox/filter.h"
#include "sandbox/limits.h"
#include "sandbox/runtime.h"
#include "sandbox/sandbox.h"

enum {
    SLOTS_MAX = 256,
    CALLS_TRACED_MAX = 1024,
    SLOT_LEFT_MAX = 4,     /* most processes that a slot may leave behind */
    SLOT_LEAVING_MS = 100, /* time that the arena blocks for a process that should end at once */
};

enum slot_state {
    SLOT_FREE = 0,
    SLOT_TAKEN = 1, /* a child uses the slot */
    SLOT_LEFT = 2,  /* the arena finished the child, but a process of the child has not ended */
};

/* A network namespace; both descriptors are -1 if there is none. */
struct network {
    int namespace_fd;
    int sockets_fd; /* /proc/PID/net/sockstat, which counts the sockets of the namespace */
};

/*
 * Resources that one child at a time uses: a UID that no other child has, control groups, a user
 * namespace with its ID map, an empty network namespace, and a mount namespace with the root folder
 * that all bots see (each child gets a copy). The arena creates a slot once and reuses it, because
 * a child changes nothing in it.
 */
struct slot {
    enum slot_state state;
    char name[SANDBOX_NAME_BYTES_MAX + 1]; /* name of the child */
    pid_t left_pids[SLOT_LEFT_MAX]; /* PIDs of the slot's processes that have not ended yet; 0:
                                       unused entry */
    int64_t left_until_us;          /* time (death_now_us) at which left_pids are lost */
    bool lost_told;
    uid_t uid; /* UID of the child; 0: the child keeps the arena's UID, which is not root */
    int user_namespace_fd;  /* user namespace of the slot; -1: not created yet, or not available */
    int mount_namespace_fd; /* -1: not created yet */
    struct network network; /* empty network; its descriptors are -1 if it is not created yet or not
                               available */
    struct cgroup cgroup;   /* version 0: the control groups do not exist */
};

/*
 * Features that this machine supports. machine_probe finds the features; the arena removes a
 * feature that fails later.
 */
struct machine {
    int landlock_abi;
    bool seccomp_notify;
    bool proc;     /* the arena can mount /proc in a PID namespace */
    bool network;  /* the arena can create a network namespace */
    bool loopback; /* the arena can create a network namespace with a loopback interface */
    struct sandbox_failure full_failure;   /* why the full tier is not available */
    struct sandbox_failure cgroup_failure; /* why control groups are not available */
    bool root;       /* the arena runs as root, and each child gets the UID of its slot */
    bool uid_shared; /* all children share one UID, because the arena has too few UIDs */
};

struct sandbox {
    enum sandbox_tier tier;
    bool tier_is_known; /* the probe is over: a later failure does not lower the tier */
    struct machine machine;
    struct cgroup_site cgroups;
    struct runtime runtime;
    struct filter filters[FILTER_VARIANTS]; /* filters by variant; a filter's code is NULL before
                                               its first use */
    struct slot slots[SLOTS_MAX];
    void (*lost_fn)(const char *name,
                    pid_t pid); /* callback from struct sandbox_options, or NULL */
    int keeper_fd;              /* memfd with the keeper's program */
    int life_fds[2]; /* pipe without data: keepers read it and get end of file when the arena dies
                      */
    void *stacks;    /* memory of the two stacks below, used by one starting child at a time */
    void *outer_stack_top, *inner_stack_top;
    pthread_mutex_t mutex;          /* protects slot states, filters and stacks */
    pthread_mutex_t starting_mutex; /* protects `starting`; never held while a thread blocks */
    struct confine_plan *starting;  /* plan of the child that a thread is starting, or NULL */
};

/* Why the sandbox killed a child. */
enum kill_cause {
    KILL_CAUSE_NONE,
    KILL_CAUSE_ARENA,     /* the caller called sandbox_child_kill */
    KILL_CAUSE_FORBIDDEN, /* the child made a forbidden system call */
    KILL_CAUSE_MEMORY,    /* sandbox_child_watch found the child over its memory limit */
};

struct sandbox_child_private {
    struct sandbox *sandbox;
    struct slot *slot;
    struct sandbox_limits limits; /* limits with defaults filled in */
    struct sandbox_failure
        failure;      /* failure of the set-up; failure.step is NULL if no step has failed */
    pid_t keeper_pid; /* 0: no keeper */
    int keeper_pid_fd;
    bool executed; /* set-up is complete and the child called exec */
    bool judged;   /* the child is dead or given up, and verdict is valid */
    bool lost;     /* the sandbox killed the child, but the child does not end and is given up */
    int64_t killed_us;     /* time (death_now_us) of the first SIGKILL; 0: none */
    bool has_freezer;      /* the freezer of a control group stops the child, else SIGSTOP */
    bool frozen;           /* the child is frozen now */
    bool stop_failed;      /* the child used processor time while frozen */
    int64_t frozen_us;     /* time (death_now_us) of the last stop or resumption */
    int64_t frozen_cpu_us; /* processor time of the first process at frozen_us */
    int64_t frozen_ticks;  /* processor ticks of all processes at the first scan after frozen_us; -1
                              before that scan */
    pid_t group;           /* process group of the child and its keeper */
    struct network loopback; /* private network of a build, with a loopback interface */
    int64_t socket_bytes;    /* largest memory of one socket in the loopback network */
    int proc_fd;             /* /proc of the child, if the arena must scan its processes; else -1 */
    int lock_count;          /* fcntl locks that a build has requested */
    int64_t answer_count;    /* sysinfo calls that the arena answered in place of the kernel */
    struct answerer
        *answerer; /* answers sysinfo calls; NULL before the child's first sysinfo call */
    struct process_scan *scan; /* scan of all the child's processes; NULL before the first scan */
    bool threads_watched; /* sandbox_child_watch limits the threads, because the kernel does not */
    char scratch_options[96];
    struct environment environment;
    char *given_folder; /* folder of a build, owned by the slot's UID until it ends; or NULL */
    enum kill_cause kill_cause;
    const char *forbidden_call;
    int64_t memory_peak_bytes;
    struct sandbox_verdict verdict; /* valid if judged */
    uint32_t *refused_counts; /* refused calls by call number, CALLS_TRACED_MAX; NULL: not traced */
};

/* Probes what the machine offers. Returns 0, or -errno with *failure set. */
int machine_probe(struct machine *machine, struct sandbox_failure *failure);

/* Returns the unprivileged UID of a slot, or 0 if children keep the arena's UID. */
uid_t machine_slot_uid(const struct machine *machine, int slot_index);

/* Sets sandbox->starting: the plan before the arena calls clone, NULL after clone has returned. */
void sandbox_starting(struct sandbox *sandbox, struct confine_plan *plan);

/*
 * Changes owner and group of a folder and of everything in it, so that a build with an unprivileged
 * UID can write to its folder. Follows no symlink. Returns 0 or -errno.
 */
int sandbox_give_folder(const char *path, uid_t owner);

static inline void close_fd(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

/* Sets *failure; returns -error. */
int sandbox_fail(struct sandbox_failure *failure, const char *step, int error);

/* Creates the namespaces that a slot lacks. Returns 0, or -errno with *failure set. */
int slot_open_namespaces(struct sandbox *sandbox, struct slot *slot,
                         struct sandbox_failure *failure);

/*
 * Creates a network for one build, with a loopback interface. The caller closes the network. Sets
 * *socket_bytes to the memory that one socket may hold. Returns 0, or -errno with *failure set.
 */
int slot_make_loopback(struct sandbox *sandbox, struct slot *slot, struct network *network,
                       int64_t *socket_bytes, struct sandbox_failure *failure);

void network_close(struct network *network);

/*
 * Creates the slot's control groups if it has none, and sets their limits. Returns 0 or -errno.
 */
int slot_open_cgroup(struct sandbox *sandbox, struct slot *slot,
                     const struct sandbox_limits *limits, bool is_build);

/*
 * Returns a free slot, or NULL if all slots are taken. The caller holds sandbox->mutex, and gives
 * the slot back with slot_release.
 */
struct slot *slot_acquire(struct sandbox *sandbox);

/*
 * Gives a slot back. slot_acquire reuses it once all its left_pids have ended. Locks
 * sandbox->mutex.
 */
void slot_release(struct sandbox *sandbox, struct slot *slot);

/*
 * Adds to left_pids a process that has not ended yet. If the process still lives at until_us, the
 * slot is given up.
 */
void slot_leave(struct slot *slot, pid_t pid, int64_t until_us);

/*
 * Waits up to SLOT_LEAVING_MS for a process that should end at once, and reaps it; adds it to
 * left_pids if it has not ended. pid_fd may be -1.
 */
void slot_await(struct slot *slot, pid_t pid, int pid_fd);

/* Calls lost_fn for a lost process, at most once per child. */
void slot_tell_lost(const struct sandbox *sandbox, struct slot *slot, pid_t pid);

#endif
