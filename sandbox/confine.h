/*
 * The child's side, from the clone to the exec. It runs in the arena's memory while the
 * arena waits (vfork), so it allocates nothing, takes no lock and leaves its findings
 * in the plan.
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
    CONFINE_UID = 1000, /* what a bot is inside its user namespace: nobody in particular */
};

struct runtime;

/* Everything that is to be done, laid out by the arena, and what came of it. */
struct confine_plan {
    /* The program. */
    const char *path; /* to execute; NULL: executable_fd itself */
    int executable_fd;
    char *const *argv;
    char *const *environment;
    int stdin_fd, stdout_fd, stderr_fd; /* the child's ends, 3 or above */
    int folder_fd;                      /* its working directory, where it has no root of its own */

    /* The rules. */
    struct limits limits;
    struct filter *filter;
    int ruleset_fd; /* Landlock's, or -1 */
    int landlock_abi;
    bool notify;     /* forbidden calls are told through notify_fd */
    uid_t uid;       /* what to become, when started as root; else 0 */
    int cpu;         /* the core to stay on, or -1 */
    cpu_set_t cores; /* of the arena, which stays on one of them until the bot begins */
    pid_t arena_pid;
    pid_t arena_thread;                  /* that waits for the children to execute */
    int cgroup_fds[CONFINE_CGROUPS_MAX]; /* of the groups to join, ended by -1 */

    /* Its namespaces, when namespace_flags is not 0. */
    int namespace_flags;           /* CLONE_NEW..., without CLONE_NEWUSER */
    int user_namespace_fd;         /* prepared with an id map, or -1 */
    int mount_namespace_fd;        /* prepared by root_build */
    int net_namespace_fd;          /* an empty network, prepared; or -1 */
    const char *folder;            /* bound at ROOT_FOLDER */
    bool trims_mounts;             /* root may take mounts out of its copy, others may not */
    const struct runtime *runtime; /* bound where they are */
    bool writable_folder;          /* a build, not a bot */
    bool opens_proc;               /* leaves proc_fd */
    bool proc;                     /* mount /proc */
    const char *scratch_options;   /* of the tmpfs at /tmp, or NULL */
    int keeper_fd;                 /* the keeper's program */
    int life_fd;                   /* a pipe's end that tells the arena's death */
    void *inner_stack_top;         /* the keeper's and then the bot's, until they execute */

    /* What came of it. Descriptors are in the arena's table, or -1. */
    int notify_fd;
    int proc_fd;    /* /proc of its namespace, for the arena to look at */
    int passing_fd; /* open for a moment only, unless a step failed in it */
    pid_t bot_pid;
    int bot_pid_fd;
    pid_t keeper_pid;
    int keeper_pid_fd;
    bool executing;                 /* all was set up */
    struct sandbox_failure failure; /* step NULL: none */
};

/* Passes a result on; one below 0 goes into the plan with errno, and ends the process. */
long confine_check(struct confine_plan *plan, const char *step, long result);

/*
 * Stands between the arena and a child with namespaces: makes them and the root, starts
 * the keeper as their process 1 and the bot as their process 2, both as children of the
 * arena, and ends. Called as confine_bot is.
 */
int confine_stage(void *plan);

/*
 * Runs as the bot's process: confines itself as the plan says and executes the program.
 * Called through clone(CLONE_VM | CLONE_VFORK | CLONE_FILES) with a plan; never returns.
 */
int confine_bot(void *plan);

/*
 * Runs as a process whose namespaces the arena wants to take hold of: executes the keeper,
 * which waits to be killed. With plan->runtime in a mount namespace of its own in which
 * root_build was done. Called through clone(CLONE_VM | CLONE_VFORK).
 */
int confine_hold(void *plan);

#endif
