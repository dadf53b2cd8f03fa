/*
 * Code that a child process runs between clone and exec. The code runs in the arena's memory while
 * the arena waits (vfork), so the code allocates nothing, takes no lock and writes its results to
 * the plan.
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
    CONFINE_UID = 1000, /* UID of a bot inside its user namespace, where it has no privileges */
};

struct runtime;

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
    bool notify;     /* create notify_fd, through which the kernel reports forbidden calls */
    uid_t uid;       /* UID to which the child switches if the arena is root; else 0 */
    int cpu;         /* core to pin the child to, or -1 */
    cpu_set_t cores; /* cores of the arena's thread before the start, during which the thread is
                        pinned to one core */
    pid_t arena_pid;
    pid_t arena_thread;                  /* thread of the arena that waits for exec */
    int cgroup_fds[CONFINE_CGROUPS_MAX]; /* descriptors of the cgroup files to which the child
                                            writes "0"; the list ends with -1 */

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
    int stage_pid_fd;               /* pidfd of the stage, or of a namespace holder */
    int64_t socket_bytes;           /* with loopback: largest memory of one socket, in bytes */
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

#endif
