/*
 * The child's side, from the clone to the exec. It runs in the arena's memory while the
 * arena waits (vfork), so it allocates nothing, takes no lock and leaves its findings
 * in the plan.
 */
#ifndef SANDBOX_CONFINE_H
#define SANDBOX_CONFINE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "sandbox/filter.h"
#include "sandbox/limits.h"
#include "sandbox/sandbox.h"

enum {
    CONFINE_STACK_BYTES = 64 << 10,
};

/* Everything that is to be done, laid out by the arena, and what came of it. */
struct confine_plan {
    /* The program. */
    const char *path; /* to execute; NULL: executable_fd itself */
    int executable_fd;
    char *const *argv;
    char *const *environment;
    int stdin_fd, stdout_fd, stderr_fd; /* the child's ends, 3 or above */
    int folder_fd;                      /* its working directory */

    /* The rules. */
    struct limits limits;
    struct filter *filter;
    int ruleset_fd; /* Landlock's, or -1 */
    bool notify;    /* forbidden calls are told through notify_fd */
    uid_t uid;      /* what to become, when started as root; else 0 */
    int cpu;        /* the core to stay on, or -1 */
    pid_t arena_pid;

    /* What came of it. */
    int notify_fd;                  /* in the arena's table, or -1 */
    bool executing;                 /* all was set up */
    struct sandbox_failure failure; /* step NULL: none */
};

/*
 * Runs as the bot's process: confines itself as the plan says and executes the program.
 * Called through clone(CLONE_VM | CLONE_VFORK | CLONE_FILES) with a plan; never returns.
 */
int confine_bot(void *plan);

#endif
