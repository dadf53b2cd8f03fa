/*
 * The child's side, from clone to exec. It runs in the arena's memory while the arena waits
 * (vfork), so it allocates nothing, takes no lock and writes its results to the plan.
 */
#ifndef SANDBOX_CONFINE_H
#define SANDBOX_CONFINE_H

#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "sandbox/filter.h"
#include "sandbox/limits.h"
#include "sandbox/sandbox.h"

enum {
    CONFINE_STACK_BYTES = 64 << 10,
    CONFINE_CGROUPS_MAX = 4,
    CONFINE_UID = 1000, /* the UID of a bot inside its user namespace: unprivileged */
};

struct runtime;

/* All that the child has to do, prepared by the arena, and the result. */
struct confine_plan {
    /* The program. */
    const char *path; /* program to execute; NULL: executable_fd itself */
    int executable_fd;
    char *const *argv;
    char *const *environment;
    int stdin_fd, stdout_fd, stderr_fd; /* the child's ends, 3 or above */
    int folder_fd;                      /* its working directory, if it has no root of its own */

    /* The rules. */
    struct limits limits;
    struct filter *filter;
    int ruleset_fd; /* a Landlock rule set, or -1 */
    int landlock_abi;
    bool notify;     /* report forbidden calls through notify_fd */
    uid_t uid;       /* UID to switch to if started as root; else 0 */
    int cpu;         /* core to pin it to, or -1 */
    bool gives_way;  /* let others of its real-time priority run between steps */
    cpu_set_t cores; /* the arena's, which stays on one of them until the bot starts */
    pid_t arena_pid;
    pid_t arena_thread;                  /* the one that waits until children have executed */
    int cgroup_fds[CONFINE_CGROUPS_MAX]; /* groups to join; the list ends with -1 */

    /* Its namespaces, if namespace_flags is not 0. */
    int namespace_flags;           /* CLONE_NEW..., without CLONE_NEWUSER */
    int user_namespace_fd;         /* prepared with an id map, or -1 */
    int mount_namespace_fd;        /* the root built in it */
    int net_namespace_fd;          /* an empty network, prepared; or -1 */
    bool loopback;                 /* that network is its own, and has a loopback interface */
    const char *folder;            /* bound at ROOT_FOLDER */
    bool trims_mounts;             /* root may unmount in its copy of the mounts, others may not */
    const struct runtime *runtime; /* its paths are bound at the same places */
    bool writable_folder;          /* a build, not a bot */
    bool opens_proc;               /* open proc_fd for the arena */
    bool proc;                     /* mount /proc */
    const char *scratch_options;   /* mount options of the tmpfs at /tmp, or NULL */
    int keeper_fd;                 /* the keeper's program */
    int life_fd;                   /* the read end of a pipe that closes when the arena dies */
    void *inner_stack_top;         /* for the keeper, then for the bot, until they execute */

    /* The result. Descriptors are in the arena's table, or -1. */
    int notify_fd;
    int proc_fd;    /* /proc of its PID namespace, for the arena to read */
    int passing_fd; /* open briefly within one step, longer only if that step failed */
    pid_t bot_pid;
    int bot_pid_fd;
    pid_t keeper_pid;
    int keeper_pid_fd;
    int stage_pid_fd;               /* while it runs */
    int64_t socket_bytes;           /* what a socket may hold, if loopback is set */
    bool aborted;                   /* the start took too long, and its processes were killed */
    bool executing;                 /* set-up is complete */
    struct sandbox_failure failure; /* step NULL: none */
};

/*
 * Runs between the arena and a child with namespaces: creates the namespaces and the root, starts
 * the keeper as PID 1 and the bot as PID 2 inside, both children of the arena, and exits. Called in
 * the same way as confine_bot.
 */
int confine_stage(void *plan);

/*
 * Runs as the bot's process: confines itself according to the plan and executes the program. Called
 * through clone(CLONE_VM | CLONE_VFORK | CLONE_FILES) with a plan; never returns.
 */
int confine_bot(void *plan);

/*
 * Runs as a process whose namespaces the arena wants to open: executes the keeper, which waits to
 * be killed. It has the namespaces of plan->namespace_flags. With plan->runtime, the root is built
 * in its mount namespace; with plan->loopback, its network namespace has a loopback interface.
 * Called through clone(CLONE_VM | CLONE_VFORK).
 */
int confine_hold(void *plan);

#endif
