/* SPDX-License-Identifier: MIT */
/* Internal to the sandbox: struct sandbox, created once per arena, and the private part of a child.
 */
#ifndef SANDBOX_PREPARED_H
#define SANDBOX_PREPARED_H

#include <pthread.h>
#include <unistd.h>

#include "sandbox/cgroup.h"
#include "sandbox/filter.h"
#include "sandbox/limits.h"
#include "sandbox/runtime.h"
#include "sandbox/sandbox.h"

/* ---- what a child does between clone and exec (confine.c) ---- */

enum {
    CONFINE_STACK_BYTES = 64 << 10,
    CONFINE_CGROUPS_MAX = CGROUP_CONTROLLERS + 1, /* the last is -1 */
    CONFINE_UID = 1000, /* UID of a bot inside its user namespace, where it has no privileges */
};

/* The arena's instructions to a child between clone and exec, and the results. */
struct confine_plan {
    /* The program. */
    const char *path; /* path of the program to execute; NULL: execute executable_fd */
    int executable_fd;
    char *const *argv;
    char *const *environment;
    int stdin_fd, stdout_fd,
        stderr_fd; /* the child's ends of its pipes; none of the descriptors is 0, 1 or 2 */
    int folder_fd; /* working directory of a child without a private root */

    /* The rules. */
    struct limits limits;
    struct filter *filter;
    int ruleset_fd; /* descriptor of the child's Landlock rule set, or -1 */
    int landlock_abi;
    bool notify; /* create notify_fd, on which the kernel reports forbidden calls to the arena */
    uid_t uid;   /* UID to which the child switches if the arena is root; else 0 */
    int cpu;     /* the only core that the child may run on; -1: any core */
    const char *oom_score; /* the child's oom_score_adj */
    pid_t arena_pid;
    int cgroup_fds[CONFINE_CGROUPS_MAX]; /* cgroup files to which the child writes "0" to join the
                                            groups; the list ends with -1 */

    /* The child's namespaces; used if namespace_flags is not 0. */
    int namespace_flags;    /* CLONE_NEW..., without CLONE_NEWUSER */
    int user_namespace_fd;  /* user namespace with an ID map, or -1 */
    int mount_namespace_fd; /* mount namespace with the root that bots see */
    int net_namespace_fd;   /* network namespace to join, or -1 */
    bool loopback;          /* the child has a private network with a loopback interface */
    const char *folder;     /* the bot's folder, to be mounted at ROOT_FOLDER */
    bool trims_mounts;      /* unmount /sys in the new namespace; only root may do this */
    const struct runtime
        *runtime;                /* files of the machine to mount in the root, at the same paths */
    bool writable_folder;        /* the child is a build and may write to its folder */
    bool opens_proc;             /* open proc_fd, so that the arena can read the child's /proc */
    bool proc;                   /* mount /proc */
    const char *scratch_options; /* mount options of the tmpfs at /tmp, or NULL: no /tmp */
    int keeper_fd;         /* memfd with the program of the keeper, PID 1 of the bot's namespace */
    int life_fd;           /* read end of a pipe that closes when the arena dies */
    void *inner_stack_top; /* stack of the keeper and, after the keeper's exec, of the bot */

    /* The results. Each descriptor is in the arena's descriptor table, or -1. */
    int notify_fd;
    int proc_fd;    /* /proc of the child's PID namespace, for the arena to read */
    int passing_fd; /* descriptor that a step uses for a while; the arena closes it if the step
                       fails */
    pid_t bot_pid;
    int bot_pid_fd;
    pid_t keeper_pid;
    int keeper_pid_fd;
    int stage_pid_fd; /* pidfd of the stage (the process that starts keeper and bot), or of a
                         namespace holder */
    /* Largest memory of one socket, in bytes; set with a loopback interface. */
    int64_t socket_bytes;
    bool aborted;                   /* sandbox_spawn_abort has killed the starting processes */
    bool executing;                 /* the set-up is complete, and the bot calls exec next */
    struct sandbox_failure failure; /* failure.step is NULL if no step failed */
};

/*
 * Main function of the stage, the process that starts a child with namespaces: creates the
 * namespaces and the root, starts the keeper as PID 1 and the bot as PID 2 of the new PID
 * namespace, both as children of the arena, and exits. The arena passes this function to clone, as
 * it passes confine_bot.
 */
int confine_stage(void *plan);

/*
 * Main function of the bot's process: confines the process according to the plan and executes the
 * program. Passed to clone(CLONE_VM | CLONE_VFORK | CLONE_FILES) with a plan; never returns.
 */
int confine_bot(void *plan);

/*
 * Main function of a holder, a process whose namespaces the arena opens: creates the namespaces of
 * plan->namespace_flags and executes the keeper's program, which waits until the arena kills it.
 * With plan->runtime, builds the root in the mount namespace; with plan->loopback, brings up a
 * loopback interface in the network namespace. Passed to clone(CLONE_VM | CLONE_VFORK).
 */
int confine_hold(void *plan);

/* ---- what the arena prepares ---- */

enum {
    SLOTS_MAX = 256,
    CALLS_TRACED_MAX = 1024,
    /* Maximum number of processes of earlier children that have not ended, per slot. */
    SLOT_LEFT_MAX = 4,
    SLOT_LEAVING_MS = 100, /* longest time that the arena blocks for a process about to end */
};

enum slot_state {
    SLOT_FREE = 0,
    SLOT_TAKEN = 1, /* a child uses the slot */
    SLOT_LEFT = 2,  /* the child is finished, but one of its processes has not ended */
};

/* A network namespace; both descriptors are -1 if the machine cannot create one. */
struct network {
    int namespace_fd;
    int sockets_fd; /* /proc/PID/net/sockstat, which counts the sockets of the namespace */
};

/*
 * Resources that one child at a time uses: a UID, control groups, a user namespace with its ID map,
 * an empty network namespace, and a mount namespace with the root folder that all bots see (each
 * child gets a copy). The arena creates a slot once and reuses it, because a child changes nothing
 * in it.
 */
struct slot {
    enum slot_state state;
    char name[SANDBOX_NAME_BYTES_MAX + 1]; /* name of the child */
    pid_t left_pids[SLOT_LEFT_MAX]; /* PIDs of processes that have not ended; 0: unused entry */
    int64_t left_until_us; /* time (death_now_us) at which the sandbox gives up the processes of
                              left_pids */
    bool lost_told;
    uid_t uid; /* UID for the slot's children; 0: they keep the arena's UID, which is not root */
    int user_namespace_fd;  /* user namespace of the slot; -1: not created yet, or not available */
    int mount_namespace_fd; /* -1: not created yet */
    struct network network; /* empty network; its descriptors are -1 if it does not exist */
    struct cgroup cgroup;   /* version 0: the control groups do not exist */
    struct sandbox_share promised; /* what the slot's child may take */
};

/*
 * What this machine supports. machine_probe finds out; the arena clears a feature that fails later.
 */
struct machine {
    int landlock_abi;
    bool seccomp_notify;
    bool proc;     /* the arena can mount /proc in a PID namespace */
    bool network;  /* the arena can create a network namespace */
    bool loopback; /* the arena can create a network namespace with a loopback interface */
    struct sandbox_failure full_failure;   /* why the full tier is not available */
    struct sandbox_failure cgroup_failure; /* why control groups are not available */
    bool root;       /* the arena runs as root, and each child gets a UID of its own */
    bool uid_shared; /* all children share one UID, because the arena has too few UIDs */
};

struct sandbox {
    enum sandbox_tier tier;
    bool tier_is_known; /* the tier no longer falls if a feature fails */
    struct machine machine;
    struct cgroup_site cgroups;
    struct cgroup_home home;
    struct runtime runtime;
    struct filter filters[FILTER_VARIANTS]; /* filters by variant; a filter's code is NULL before
                                               its first use */
    struct slot slots[SLOTS_MAX];
    void (*lost_fn)(const char *name, pid_t pid); /* lost_fn of struct sandbox_options, or NULL */
    int keeper_fd;                                /* memfd with the keeper's program */
    int life_fds[2]; /* pipe that keepers read; the kernel closes it when the arena dies */
    void *stacks;    /* memory of the two stacks of the child that is being started */
    void *outer_stack_top, *inner_stack_top;
    pthread_mutex_t mutex; /* protects slot states, filters and stacks */
    /* Protects `starting`; no thread blocks while it holds this mutex. */
    pthread_mutex_t starting_mutex;
    struct confine_plan
        *starting; /* instructions for the child that a thread is starting, or NULL */
};

/* Why the sandbox killed a child. */
enum kill_cause {
    KILL_CAUSE_NONE,
    KILL_CAUSE_ARENA,     /* the caller called sandbox_child_kill */
    KILL_CAUSE_FORBIDDEN, /* the child made a forbidden system call */
    KILL_CAUSE_MEMORY,    /* sandbox_child_watch found the child over its memory limit */
};

/* The life of a child; the theory at the top of child.c says what leads from one to the next. */
enum child_state {
    CHILD_LIVES = 0,
    CHILD_KILLED = 1, /* the sandbox has sent SIGKILL; kill_cause says why */
    CHILD_DEAD = 2,   /* the first process has ended; the verdict is set */
    CHILD_LOST = 3,   /* killed, but did not end: given up; the verdict is set */
};

/* The stops of a child, and what the arena has seen of them: see "freezing" in child.c. */
struct child_stop {
    bool by_freezer;  /* a control group's freezer stops the child; false: SIGSTOP does */
    bool is_on;       /* the child is stopped now */
    bool is_reported; /* the kernel has reported that the first process has stopped */
    bool has_run;     /* a look found the child running since this stop began */
    bool has_failed;  /* the child ran in spite of stops: once set, for ever */
    int run_count;    /* looks that found the child running, less one for each stop without one */
    int64_t look_us; /* time (death_now_us) of the last look at the stopped child, or of the stop */
    int64_t look_cpu_us; /* processor time at the last look; -1: no look since the stop */
};

/* A thread of the child at the last look: its processor time, how long it has waited for one, and
   when it began. */
struct child_thread {
    int id;
    int64_t cpu_us, queued_us, begun_us;
};

enum {
    CHILD_THREADS_TIMED = 64, /* threads beyond these do not count as waiting */
};

/* How long other programs have kept the child from a processor (see sandbox_child_queued_us). */
struct child_wait {
    int64_t sum_us;     /* in all waits that had ended at the last look */
    int64_t waited_us;  /* in the wait that had not (see child_wait_us) */
    int64_t cpu_us;     /* processor time of the child at the last look */
    int64_t looked_us;  /* time (death_now_us) of that look */
    int64_t booted_us;  /* time of that look since the machine's start, like begun_us of a thread */
    int64_t blocked_us; /* in waits within the kernel (see child_block_us) */
    int64_t block_cpu_us;    /* processor time of the child at the last look for such waits */
    int64_t block_looked_us; /* time (death_now_us) of that look */
    int thread_count;
    struct child_thread threads[CHILD_THREADS_TIMED];
};

/*
 * Returns how long others have kept the child from a processor between two looks, in which it
 * computed for spent_us: the longest wait of one thread, less the time in which the child's other
 * threads computed, for which it may have waited. A look may miss threads: of one that the last
 * look missed, nobody knows how much of its wait is older.
 */
int64_t child_held_us(const struct child_wait *before, const struct child_wait *now,
                      int64_t spent_us);

/*
 * Returns how long the child has waited for a processor up to now since it last ran: the kernel
 * adds a wait to the thread's sum only once it has ended. If no thread has run since the last look,
 * and one is ready now, the time since that look was such a wait; but none began before since_us,
 * when the child slept or was stopped.
 */
int64_t child_wait_us(struct child_wait *wait, int64_t cpu_us, int64_t now_us, int64_t since_us,
                      bool is_ready);

/*
 * Adds the time since the last look if the child has not computed since, and a thread of it waits
 * in the kernel now (state D of proc(5)): for a disk, or for a lock that another program
 * holds. Every program that starts or ends takes the locks of the pages of common libraries, and on
 * a busy machine one of low priority holds them for seconds. The kernel counts no such wait.
 * Returns the sum.
 */
int64_t child_block_us(struct child_wait *wait, int64_t cpu_us, int64_t now_us, bool is_blocked);

struct sandbox_child_private {
    struct sandbox *sandbox;
    struct slot *slot;
    struct sandbox_limits limits;   /* limits with defaults filled in */
    struct sandbox_failure failure; /* failure of the set-up; failure.step is NULL: none */
    pid_t keeper_pid;               /* 0: no keeper */
    int keeper_pid_fd;
    bool executed; /* the set-up was complete, and the child called exec */
    enum child_state state;
    int64_t killed_us; /* time (death_now_us) at which the sandbox first killed the child */
    struct child_stop stop;
    pid_t group;             /* process group of the child and its keeper */
    struct network loopback; /* network of a build, with a loopback interface */
    int64_t socket_bytes; /* largest memory of one socket, in bytes; set with a loopback network */
    int proc_fd;          /* /proc of the child, whose processes the arena scans; -1: no scans */
    int lock_count;       /* fcntl locks that a build has requested */
    int watch_count;      /* descriptors that the child has added to epoll instances */
    int own_kill_count;   /* calls with which the child could have ended itself by SIGKILL */
    int64_t answer_count; /* sysinfo calls that the arena answered in place of the kernel */
    struct answerer
        *answerer; /* answers sysinfo calls; NULL before the child's first sysinfo call */
    struct process_scan *scan; /* scan of all the child's processes; NULL before the first scan */
    bool threads_watched; /* the arena limits the threads in sandbox_child_watch, because the kernel
                             does not */
    char scratch_options[96];
    struct environment environment;
    char *given_folder; /* folder of a build, whose owner is the build's UID until the build ends;
                           NULL: none */
    struct child_wait wait;
    enum kill_cause kill_cause;
    const char *forbidden_call;
    bool is_build;
    const char *session_nice; /* nice value of the child's session: less than a bot's share of the
                                 processor; NULL: a bot's share */
    bool is_lowered;          /* sandbox_child_lower has nothing more to do */
    char oom_score[16]; /* the child's oom_score_adj: how readily the kernel kills the child when
                           the machine's memory runs out */
    int64_t available_bytes;     /* memory that was available on the machine before the start */
    int64_t home_oom_kill_count; /* number of OOM kills in the arena's own group before the start */
    int64_t memory_peak_bytes;
    struct sandbox_verdict verdict; /* valid in CHILD_DEAD and CHILD_LOST */
    uint32_t *refused_counts; /* refused calls by call number, CALLS_TRACED_MAX; NULL: not traced */
};

/* Finds out what the machine supports. Returns 0, or -errno with *failure set. */
int machine_probe(struct machine *machine, struct sandbox_failure *failure);

/* Returns the UID for the children of a slot, or 0 if children keep the arena's UID. */
uid_t machine_slot_uid(const struct machine *machine, int slot_index);

/*
 * Sets sandbox->starting: to the plan before the call of clone, to NULL after clone has returned.
 */
void sandbox_starting(struct sandbox *sandbox, struct confine_plan *plan);

/*
 * Gives a folder, with everything in it, to another user and group, so that a build with an
 * unprivileged UID can write to it. Follows no symlink. Returns 0 or -errno.
 */
int sandbox_give_folder(const char *path, uid_t owner);

/*
 * Gives the child its oom_score_adj, and its session its nice value. For an ordinary user the
 * kernel may refuse this for a moment: the files in /proc of a process belong to root until its
 * exec is complete. Later calls then try again.
 */
void sandbox_child_lower(struct sandbox_child *child);

/* Returns how much memory the machine can give to programs now, in bytes. */
int64_t memory_available(void);

static inline void close_fd(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

/* Returns what all children of the sandbox together may take. The caller holds sandbox->mutex. */
struct sandbox_share slot_promised(const struct sandbox *sandbox);

/* Sets *failure; returns -error. */
int sandbox_fail(struct sandbox_failure *failure, const char *step, int error);

/*
 * Creates the namespaces for a slot's children that do not exist yet. Returns 0, or -errno with
 * *failure set.
 */
int slot_open_namespaces(struct sandbox *sandbox, struct slot *slot,
                         struct sandbox_failure *failure);

/*
 * Creates a network with a loopback interface for one build. The caller closes the network. Sets
 * *socket_bytes to the most memory that one socket may use. Returns 0, or -errno with *failure set.
 */
int slot_make_loopback(struct sandbox *sandbox, struct slot *slot, struct network *network,
                       int64_t *socket_bytes, struct sandbox_failure *failure);

void network_close(struct network *network);

/*
 * Creates the control groups for a slot's children if there are none, and sets their limits.
 * Returns 0 or -errno.
 */
int slot_open_cgroup(struct sandbox *sandbox, struct slot *slot,
                     const struct sandbox_limits *limits, bool is_build);

/*
 * Returns a free slot (the resources for one child), which the caller gives back with slot_release,
 * or NULL if all slots are in use. The caller holds sandbox->mutex.
 */
struct slot *slot_acquire(struct sandbox *sandbox);

/*
 * Gives a slot back. The slot is free once all processes of left_pids have ended. Locks
 * sandbox->mutex.
 */
void slot_release(struct sandbox *sandbox, struct slot *slot);

/*
 * Adds to left_pids a process that has not ended. Gives the process up if it still lives at
 * until_us.
 */
void slot_leave(struct slot *slot, pid_t pid, int64_t until_us);

/*
 * Waits up to SLOT_LEAVING_MS for a process that is about to end, and reaps it; adds the process to
 * left_pids if it has not ended. pid_fd may be -1.
 */
void slot_await(struct slot *slot, pid_t pid, int pid_fd);

/* Reports to lost_fn a process that is given up, at most once per child. */
void slot_tell_lost(const struct sandbox *sandbox, struct slot *slot, pid_t pid);

#endif
