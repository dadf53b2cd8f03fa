/* Inside the sandbox: what is prepared once per arena, and what is kept of each child. */
#ifndef SANDBOX_PREPARED_H
#define SANDBOX_PREPARED_H

#include <pthread.h>

#include "sandbox/cgroup.h"
#include "sandbox/confine.h"
#include "sandbox/environment.h"
#include "sandbox/filter.h"
#include "sandbox/runtime.h"
#include "sandbox/sandbox.h"

enum {
    SLOTS_MAX = 256,
    FILTER_VARIANTS = 1 << 7,
    CALLS_TRACED_MAX = 1024,
    SLOT_LEFT_MAX = 4,     /* processes: a bot, its keeper and stage, a holder of namespaces */
    SLOT_LEAVING_MS = 100, /* that the arena stands still for a process that is to end at once */
};

enum slot_state {
    SLOT_FREE = 0,
    SLOT_TAKEN = 1, /* by a child */
    SLOT_LEFT = 2,  /* the child is finished, but some process of it has not ended */
};

/*
 * What one child at a time holds, made once and used again by the next, since nothing of
 * a child stays in it: an id that no other child has, control groups, a user namespace
 * with its id map, a network without anything in it, and a mount namespace with the root
 * that every bot sees, of which each takes a copy.
 */
struct slot {
    enum slot_state state;
    char name[SANDBOX_NAME_BYTES_MAX + 1]; /* of the child */
    pid_t left_pids[SLOT_LEFT_MAX];        /* 0: none */
    int64_t left_until_us;                 /* a process that lives on then is lost */
    bool lost_told;
    uid_t uid;              /* 0: the arena's own, which is no root then */
    int user_namespace_fd;  /* -1: not made yet, or none to be had */
    int mount_namespace_fd; /* -1: not made yet */
    int net_namespace_fd;   /* an empty network; -1: not made yet, or none to be had */
    struct cgroup cgroup;   /* version 0: not made yet, or none to be had */
};

/* What was found to work on this machine. */
struct machine {
    int landlock_abi;
    bool seccomp_notify;
    bool proc;                             /* /proc can be mounted in a PID namespace */
    bool network;                          /* a network namespace can be made */
    struct sandbox_failure full_failure;   /* what stood in the way of the full tier */
    struct sandbox_failure cgroup_failure; /* of control groups that could be made */
    bool root;       /* started as root: children take the uid of their slot */
    bool uid_shared; /* one id for all children: this machine maps few */
};

struct sandbox {
    enum sandbox_tier tier;
    struct machine machine;
    struct cgroup_site cgroups;
    struct runtime runtime;
    struct filter filters[FILTER_VARIANTS]; /* code NULL: not built yet */
    struct slot slots[SLOTS_MAX];
    void (*lost_fn)(const char *name, pid_t pid); /* or NULL */
    int keeper_fd;                                /* the keeper's program */
    int life_fds[2]; /* a pipe that nobody writes: keepers hold its end, and see it close with the
                        arena */
    void *stacks;    /* of children until they execute; one starts at a time */
    void *outer_stack_top, *inner_stack_top;
    pthread_mutex_t mutex; /* of what children share: slots' states, filters, stacks */
};

/* How a child is stopped while it is not its turn. */
enum freeze_way {
    FREEZE_BY_SIGNAL, /* one process, which can neither catch nor undo SIGSTOP */
    FREEZE_BY_GROUP,  /* several: a signal to their process group, which none can leave */
    FREEZE_BY_CGROUP, /* version 2 */
};

/* Why a child was killed by us. */
enum kill_cause {
    KILL_CAUSE_NONE,
    KILL_CAUSE_ARENA,     /* sandbox_child_kill */
    KILL_CAUSE_FORBIDDEN, /* a system call */
    KILL_CAUSE_MEMORY,    /* the watch saw more resident than it may have */
};

struct sandbox_child_private {
    struct sandbox *sandbox;
    struct slot *slot;
    struct sandbox_limits limits;   /* resolved */
    struct sandbox_failure failure; /* of its set-up; step NULL: none */
    pid_t keeper_pid;               /* 0: none */
    int keeper_pid_fd;
    bool executed;     /* all was set up, the program was reached for */
    bool judged;       /* it is dead, or given up: */
    bool lost;         /* killed in vain */
    int64_t killed_us; /* when it first was; 0: it was not */
    enum freeze_way freeze_way;
    bool frozen;               /* at present */
    bool stop_failed;          /* it ran on while it was frozen */
    int64_t frozen_cpu_us;     /* processor time when it was */
    int64_t frozen_ticks;      /* of all its processes at the first look since; -1 before */
    pid_t group;               /* of its processes and the keeper, in the full tier; else 0 */
    int proc_fd;               /* its own /proc, where its processes are to be added up; else -1 */
    int64_t answer_count;      /* calls that were answered in the kernel's place */
    struct answerer *answerer; /* NULL before the first of them */
    struct measuring *measuring; /* of its memory, beside the arena; NULL: never needed */
    bool threads_watched;        /* no limit of the kernel's bounds them */
    char scratch_options[96];
    struct environment environment;
    char *given_folder; /* a build's, its own until it ends; or NULL */
    enum kill_cause kill_cause;
    const char *forbidden_call;
    int64_t memory_peak_bytes;
    struct sandbox_verdict verdict; /* once judged */
    uint32_t *refused_counts;       /* by number of the call, CALLS_TRACED_MAX; NULL: not traced */
};

/* Finds out what the machine offers. Returns 0 or -errno with *failure set. */
int machine_probe(struct machine *machine, struct sandbox_failure *failure);

/* The unprivileged id of a slot, 0 when children keep the arena's own. */
uid_t machine_slot_uid(const struct machine *machine, int slot_index);

/* Sets *failure; returns -error. */
int sandbox_fail(struct sandbox_failure *failure, const char *step, int error);

void slot_init(struct slot *slot, uid_t uid);

/* Makes the namespaces of a slot that it does not have yet. Returns 0, or -errno with *failure set.
 */
int slot_open_namespaces(struct sandbox *sandbox, struct slot *slot,
                         struct sandbox_failure *failure);

/* Makes the control groups of a slot, if it has none yet, and limits them. Returns 0 or -errno. */
int slot_open_cgroup(struct sandbox *sandbox, struct slot *slot,
                     const struct sandbox_limits *limits);

/* Closes and removes what a slot holds; blocks for what was left with it, until it is lost. */
void slot_finish(struct sandbox *sandbox, struct slot *slot);

/* A free slot, or NULL when all are taken. Given back with slot_release. The mutex is held. */
struct slot *slot_acquire(struct sandbox *sandbox);

/* Nobody gets it before all that was left with it has ended. Takes the mutex. */
void slot_release(struct sandbox *sandbox, struct slot *slot);

/* Leaves a process with the slot that was to end and has not; it is lost if it lives at until_us.
 */
void slot_leave(struct slot *slot, pid_t pid, int64_t until_us);

/* Tells of a lost process, once a child. */
void slot_tell_lost(const struct sandbox *sandbox, struct slot *slot, pid_t pid);

#endif
