/* Internal to the sandbox: what is prepared once per arena, and the private part of each child. */
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
    SLOT_LEFT_MAX = 4,     /* processes: a bot, its keeper, its stage, a namespace holder */
    SLOT_LEAVING_MS = 100, /* how long the arena blocks for a process that should end at once */
};

enum slot_state {
    SLOT_FREE = 0,
    SLOT_TAKEN = 1, /* used by a child */
    SLOT_LEFT = 2,  /* the child is finished, but one of its processes has not ended */
};

/* A network namespace; both descriptors are -1 if there is none. */
struct network {
    int namespace_fd;
    int sockets_fd; /* its file "sockstat", which counts its sockets */
};

/*
 * What one child at a time uses; created once and reused, since a child leaves nothing in it: a UID
 * that no other child has, control groups, a user namespace with its ID map, an empty network
 * namespace, and a mount namespace with the root that all bots see, of which each child gets a
 * copy.
 */
struct slot {
    enum slot_state state;
    char name[SANDBOX_NAME_BYTES_MAX + 1]; /* name of the child */
    pid_t left_pids[SLOT_LEFT_MAX];        /* 0: none */
    int64_t left_until_us;                 /* a process that still lives then is lost */
    bool lost_told;
    uid_t uid;              /* 0: the arena's own UID, which is not root then */
    int user_namespace_fd;  /* -1: not created yet, or not available */
    int mount_namespace_fd; /* -1: not created yet */
    struct network network; /* an empty one; not created yet, or not available */
    struct cgroup cgroup;   /* version 0: not created yet, or not available */
};

/* What works on this machine, as probed. */
struct machine {
    int landlock_abi;
    bool seccomp_notify;
    bool proc;                             /* /proc can be mounted in a PID namespace */
    bool network;                          /* a network namespace can be created */
    bool loopback;                         /* builds can have one with a loopback interface */
    struct sandbox_failure full_failure;   /* why the full tier is not available */
    struct sandbox_failure cgroup_failure; /* why control groups are not available */
    bool root;                             /* started as root: children get the UID of their slot */
    bool uid_shared; /* all children share one UID, because few are mapped here */
};

struct sandbox {
    enum sandbox_tier tier;
    bool tier_is_known; /* what fails from now on is no property of the machine */
    struct machine machine;
    struct cgroup_site cgroups;
    struct runtime runtime;
    struct filter filters[FILTER_VARIANTS]; /* code NULL: not built yet */
    struct slot slots[SLOTS_MAX];
    void (*lost_fn)(const char *name, pid_t pid); /* or NULL */
    int keeper_fd;                                /* the keeper's program */
    int life_fds[2]; /* a pipe that nobody writes to: keepers hold its read end, and see it close
                        when the arena dies */
    void *stacks;    /* for children until they execute; only one starts at a time */
    void *outer_stack_top, *inner_stack_top;
    pthread_mutex_t mutex;          /* protects what children share: slot states, filters, stacks */
    pthread_mutex_t starting_mutex; /* protects starting; held for moments only */
    struct confine_plan *starting;  /* of the clone under way, or NULL */
};

/* How a child is stopped while no reply is due. */
enum freeze_way {
    FREEZE_BY_SIGNAL, /* a single process, which can neither catch nor undo SIGSTOP */
    FREEZE_BY_GROUP,  /* several processes: SIGSTOP to their process group, which none can leave */
    FREEZE_BY_CGROUP, /* the freezer of version 2 */
};

/* Why the sandbox killed a child. */
enum kill_cause {
    KILL_CAUSE_NONE,
    KILL_CAUSE_ARENA,     /* sandbox_child_kill */
    KILL_CAUSE_FORBIDDEN, /* a forbidden system call */
    KILL_CAUSE_MEMORY,    /* the watch found it over its memory limit */
};

struct sandbox_child_private {
    struct sandbox *sandbox;
    struct slot *slot;
    struct sandbox_limits limits;   /* resolved */
    struct sandbox_failure failure; /* of its set-up; step NULL: none */
    pid_t keeper_pid;               /* 0: none */
    int keeper_pid_fd;
    bool executed;     /* set-up is complete and exec was called */
    bool judged;       /* it is dead, or was given up: */
    bool lost;         /* it was killed but does not end */
    int64_t killed_us; /* when it was first killed; 0: never */
    enum freeze_way freeze_way;
    bool frozen;           /* the child is frozen now */
    bool stop_failed;      /* it used processor time while frozen */
    int64_t frozen_us;     /* when it was stopped or resumed last */
    int64_t frozen_cpu_us; /* processor time when it was frozen */
    int64_t frozen_ticks;  /* of all its processes at the first look after that; -1 before the first
                              look */
    pid_t group; /* process group of its processes and the keeper, in the full tier; else 0 */
    struct network loopback; /* of a build: its own network, with a loopback interface */
    int64_t socket_bytes;    /* what each of its sockets may hold */
    int proc_fd;             /* its own /proc, if the arena has to add up its processes; else -1 */
    int lock_count;          /* record locks that a build asked for */
    int64_t answer_count;    /* calls that the arena answered in place of the kernel */
    struct answerer *answerer; /* NULL before the first such call */
    struct process_scan *scan; /* of all its processes; NULL: none was needed yet */
    bool threads_watched; /* the watch counts threads, because the kernel does not limit them */
    char scratch_options[96];
    struct environment environment;
    char *given_folder; /* a build's folder, owned by its UID until it ends; or NULL */
    enum kill_cause kill_cause;
    const char *forbidden_call;
    int64_t memory_peak_bytes;
    struct sandbox_verdict verdict; /* once judged */
    uint32_t *refused_counts;       /* by call number, CALLS_TRACED_MAX of them; NULL: not traced */
};

/* Probes what the machine offers. Returns 0, or -errno with *failure set. */
int machine_probe(struct machine *machine, struct sandbox_failure *failure);

/* Returns the unprivileged UID of a slot, 0 if children keep the arena's own. */
uid_t machine_slot_uid(const struct machine *machine, int slot_index);

/* Says which plan the clone that follows carries out; NULL: it has returned. */
void sandbox_starting(struct sandbox *sandbox, struct confine_plan *plan);

/*
 * Changes owner and group of a folder and all its contents: a build that runs under an unprivileged
 * UID must be able to write to its own. Follows no symlink. Returns 0 or -errno.
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

void slot_init(struct slot *slot, uid_t uid);

/* Creates the namespaces that a slot lacks. Returns 0, or -errno with *failure set. */
int slot_open_namespaces(struct sandbox *sandbox, struct slot *slot,
                         struct sandbox_failure *failure);

/*
 * Creates a network for one build, with a loopback interface. The caller closes it. Sets
 * *socket_bytes to what a socket in it may hold. Returns 0, or -errno with *failure set.
 */
int slot_make_loopback(struct sandbox *sandbox, struct slot *slot, struct network *network,
                       int64_t *socket_bytes, struct sandbox_failure *failure);

void network_close(struct network *network);

/*
 * Creates the control groups of a slot if it has none, and sets their limits. Returns 0 or -errno.
 */
int slot_open_cgroup(struct sandbox *sandbox, struct slot *slot,
                     const struct sandbox_limits *limits, bool is_build);

/* Closes and removes what a slot holds. Blocks until its left processes end or are lost. */
void slot_finish(struct sandbox *sandbox, struct slot *slot);

/*
 * Returns a free slot, to be given back with slot_release, or NULL if all are taken. The caller
 * holds the mutex.
 */
struct slot *slot_acquire(struct sandbox *sandbox);

/*
 * Gives a slot back; it is reused only once all processes left in it have ended. Locks the mutex.
 */
void slot_release(struct sandbox *sandbox, struct slot *slot);

/*
 * Records in the slot a process that has not ended yet; it is lost if it still lives at until_us.
 */
void slot_leave(struct slot *slot, pid_t pid, int64_t until_us);

/* Reports a lost process to lost_fn, once per child. */
void slot_tell_lost(const struct sandbox *sandbox, struct slot *slot, pid_t pid);

#endif
