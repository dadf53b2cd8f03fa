/*
 * Theory of operation.
 *
 * The arena is one process and is not dumpable, so that no process of the same UID can inspect it.
 * sandbox_create (prepare.c) finds out what the machine supports by trying it, and holds open what
 * every child needs: the runtimes' folders, the seccomp program. What one child at a time uses is a
 * slot (slot.c), created at its first use and kept: a UID, control groups, a user namespace with
 * its ID map, a mount namespace with the root that bots see.
 *
 * sandbox_spawn prepares a plan (plan.c) and clones; the children run confine.c in the arena's
 * memory, on stacks of their own, while the arena waits for the last exec (vfork: nothing is
 * copied, however large the arena is). In the full tier there are three, all of them children of
 * the arena, so that only the arena can reap them:
 *
 *   stage    joins the slot's namespaces, takes copies, adds the bot's folder; exits
 *   keeper   process 1 of the PID namespace (keeper.c); lives as long as the bot
 *   bot      process 2: enters its root, drops all privileges, loads its filter, executes
 *
 * In the lite tier there is only the bot. All of them share the arena's descriptor table until the
 * bot has loaded its filter, so that the arena gets the filter's listener too; then the bot
 * unshares the table and keeps three pipes:
 *
 *   stdin    arena -> bot   the wire
 *   stdout   bot -> arena   the wire
 *   stderr   bot -> arena   free text
 *
 * A fourth, setup, carries no data: exec closes it. If a step fails, it is recorded in the plan,
 * and the bot never ran. Keeper and bot die with the arena because of PR_SET_PDEATHSIG; the keeper
 * also waits on a pipe, and its end kills its whole namespace. child.c handles the child from then
 * on.
 *
 * SIGKILL does not end a process that is stuck in the kernel (a file system that hangs, a tracer).
 * Every wait for an end therefore has a deadline (death.c): a child that still lives
 * SANDBOX_DYING_MS after it was killed is given up, and its processes stay with their slot, which
 * is not reused before they have ended. Only the wait for the clone itself is in the kernel and has
 * no deadline; sandbox_spawn_abort, called by another thread, ends it by killing what it waits for.
 *
 * Any thread may start and finish children; only one starts at a time. A clone blocks only the
 * thread that makes it. PR_SET_PDEATHSIG reacts to the end of that thread, which must therefore
 * outlive its children.
 */
#include "sandbox/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sandbox/confine.h"
#include "sandbox/death.h"
#include "sandbox/folder.h"
#include "sandbox/landlock.h"
#include "sandbox/plan.h"

static void close_fd(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

/* Stores the arena's ends in the child, and the child's ends in the plan. */
static int open_pipes(struct sandbox_child *child, struct confine_plan *plan, int *setup_write_fd)
{
    int ends[2];

    if (pipe2(ends, O_CLOEXEC) < 0)
        return -errno;
    plan->stdin_fd = ends[0];
    child->stdin_fd = ends[1];
    if (pipe2(ends, O_CLOEXEC) < 0)
        return -errno;
    child->stdout_fd = ends[0];
    plan->stdout_fd = ends[1];
    if (pipe2(ends, O_CLOEXEC) < 0)
        return -errno;
    child->stderr_fd = ends[0];
    plan->stderr_fd = ends[1];
    if (pipe2(ends, O_CLOEXEC) < 0)
        return -errno;
    child->setup_fd = ends[0];
    *setup_write_fd = ends[1];
    if (fcntl(child->stdin_fd, F_SETFL, O_NONBLOCK) < 0 ||
        fcntl(child->stdout_fd, F_SETFL, O_NONBLOCK) < 0 ||
        fcntl(child->stderr_fd, F_SETFL, O_NONBLOCK) < 0)
        return -errno;
    return 0;
}

/*
 * Pins this thread to its core, so that the stage and the keeper start there, where the arena waits
 * for them. On another core of a busy machine each would wait for a time slice to end.
 */
static void stay_here(struct confine_plan *plan)
{
    cpu_set_t here;
    int core = sched_getcpu();

    if (sched_getaffinity(0, sizeof plan->cores, &plan->cores) < 0 || core < 0)
        return;
    CPU_ZERO(&here);
    CPU_SET((size_t)core, &here);
    sched_setaffinity(0, sizeof here, &here);
}

static void await_stage(struct slot *slot, pid_t pid)
{
    int64_t now_us = death_now_us();

    if (!death_await(pid, -1, now_us + (int64_t)SLOT_LEAVING_MS * 1000))
        slot_leave(slot, pid, now_us + (int64_t)SANDBOX_DYING_MS * 1000);
}

/* Signals are blocked until the child has reset its handlers. */
static int clone_bot(struct sandbox *sandbox, struct confine_plan *plan,
                     struct sandbox_child *child)
{
    sigset_t all, before;
    const int flags = CLONE_VM | CLONE_VFORK | CLONE_FILES | SIGCHLD;
    int error = 0;

    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &before);
    if (plan->namespace_flags) {
        pid_t stage_pid;

        stay_here(plan);
        sandbox_starting(sandbox, plan);
        stage_pid = clone(confine_stage, sandbox->outer_stack_top, flags | CLONE_PIDFD, plan,
                          &plan->stage_pid_fd);
        sandbox_starting(sandbox, NULL);

        if (stage_pid < 0) {
            error = errno;
        } else { /* the stage exits as soon as the bot has executed, or failed to */
            await_stage(child->private->slot, stage_pid);
            /* The group keeps this ID while a process of it lives. */
            child->private->group = stage_pid;
        }
        /* In case the bot did not get that far. */
        sched_setaffinity(0, sizeof plan->cores, &plan->cores);
    } else {
        sandbox_starting(sandbox, plan);
        plan->bot_pid = clone(confine_bot, sandbox->outer_stack_top, flags | CLONE_PIDFD, plan,
                              &plan->bot_pid_fd);
        sandbox_starting(sandbox, NULL);
        if (plan->bot_pid < 0)
            error = errno;
    }
    sigprocmask(SIG_SETMASK, &before, NULL);
    if (plan->aborted)
        sandbox_find_started(plan);
    child->pid = plan->bot_pid;
    child->pid_fd = plan->bot_pid_fd;
    child->notify_fd = plan->notify_fd;
    child->private->proc_fd = plan->proc_fd;
    child->private->keeper_pid = plan->keeper_pid > 0 ? plan->keeper_pid : 0;
    child->private->keeper_pid_fd = plan->keeper_pid_fd;
    return plan->aborted ? -ETIME : -error;
}

enum {
    FULL_LAYERS = SANDBOX_LAYER_PID_NS | SANDBOX_LAYER_MOUNT_NS | SANDBOX_LAYER_IPC_NS |
                  SANDBOX_LAYER_UTS_NS | SANDBOX_LAYER_CGROUP_NS | SANDBOX_LAYER_ROOT,
};

static uint32_t layers_of(const struct sandbox *sandbox,
                          const struct sandbox_child_private *private,
                          const struct confine_plan *plan)
{
    const struct cgroup *cgroup = &private->slot->cgroup;
    bool counted = cgroup->version > 0;
    uint32_t landlock = landlock_layers(sandbox->machine.landlock_abi);

    if (plan->loopback)
        landlock &= ~(uint32_t)SANDBOX_LAYER_LANDLOCK_NET;
    return SANDBOX_LAYER_NO_NEW_PRIVS | SANDBOX_LAYER_SECCOMP | SANDBOX_LAYER_RLIMITS |
           SANDBOX_LAYER_CAPS | (plan->notify ? SANDBOX_LAYER_NOTIFY : 0) |
           (plan->uid ? SANDBOX_LAYER_UID : 0) | landlock |
           (plan->user_namespace_fd >= 0 ? SANDBOX_LAYER_USER_NS : 0) |
           (plan->namespace_flags ? FULL_LAYERS : 0) | (plan->proc ? SANDBOX_LAYER_PROC : 0) |
           (plan->net_namespace_fd >= 0 ? SANDBOX_LAYER_NET_NS : 0) |
           (counted && cgroup->folder_fds[CGROUP_MEMORY] >= 0 ? SANDBOX_LAYER_CGROUP_MEMORY : 0) |
           (counted && cgroup->folder_fds[CGROUP_PIDS] >= 0 ? SANDBOX_LAYER_CGROUP_PIDS : 0);
}

/* Closes what the arena held for the child only. */
static void close_ends(struct confine_plan *plan, int *setup_write_fd)
{
    close_fd(&plan->stdin_fd);
    close_fd(&plan->stdout_fd);
    close_fd(&plan->stderr_fd);
    close_fd(setup_write_fd);
    close_fd(&plan->folder_fd);
    close_fd(&plan->ruleset_fd);
    close_fd(&plan->passing_fd);
}

/* Gives the folder of a build to the slot's UID; child.c takes it back. */
static int give_folder(const struct sandbox_command *command, struct sandbox_child_private *private,
                       struct sandbox_failure *failure)
{
    int result = 0;

    if (command->profile == SANDBOX_PROFILE_BUILD && private->slot->uid > 0) {
        private->given_folder = strdup(command->folder);
        result = private->given_folder ? folder_give(command->folder, private->slot->uid) : -ENOMEM;
    }
    return result < 0 ? sandbox_fail(failure, "give the folder to the build", -result) : 0;
}

/* Prepares everything that comes before the clone; what was done is in child and plan. */
static int prepare(struct sandbox *sandbox, const struct sandbox_command *command,
                   struct sandbox_child *child, struct confine_plan *plan, char *program,
                   int *setup_write_fd, struct sandbox_failure *failure)
{
    struct sandbox_child_private *private = child->private;
    int result;

    if (command->trace) {
        private->refused_counts = calloc(CALLS_TRACED_MAX, sizeof *private->refused_counts);
        if (!private->refused_counts)
            return sandbox_fail(failure, "memory", ENOMEM);
    }
    private->limits = limits_resolve(&command->limits);
    environment_init(&private->environment, command, &private->limits);
    plan->environment = private->environment.variables;
    private->slot = slot_acquire(sandbox);
    if (!private->slot)
        return sandbox_fail(failure, "a free slot", EAGAIN);
    snprintf(private->slot->name, sizeof private->slot->name, "%s",
             command->name ? command->name : command->argv[0]);
    result = plan_bot(sandbox, command, private, plan, program, failure);
    if (result < 0)
        return result;
    result = give_folder(command, private, failure);
    if (result < 0)
        return result;
    result = open_pipes(child, plan, setup_write_fd);
    return result < 0 ? sandbox_fail(failure, "pipes", -result) : 0;
}

/* Starts the child, and records how far it got. */
static int start(struct sandbox *sandbox, struct confine_plan *plan, struct sandbox_child *child,
                 struct sandbox_failure *failure)
{
    struct sandbox_child_private *private = child->private;
    int result = clone_bot(sandbox, plan, child);

    if (result < 0)
        return sandbox_fail(failure, "clone", -result);
    private->executed = plan->executing;
    private->failure = plan->failure;
    child->layers = layers_of(sandbox, private, plan);
    if (!plan->failure.step || plan->executing)
        return 0;
    *failure = plan->failure;
    return -plan->failure.error;
}

/* After a failure, too, the child has what sandbox_child_finish must undo. */
static int spawn(struct sandbox *sandbox, const struct sandbox_command *command,
                 struct sandbox_child *child, struct sandbox_failure *failure)
{
    char program[RUNTIME_PATH_BYTES_MAX]; /* the plan points to it */
    struct sandbox_child_private *private = calloc(1, sizeof *private);
    struct confine_plan plan = plan_begin(sandbox, command);
    int setup_write_fd = -1;
    int result;

    *child = (struct sandbox_child){.pid_fd = -1,
                                    .stdin_fd = -1,
                                    .stdout_fd = -1,
                                    .stderr_fd = -1,
                                    .setup_fd = -1,
                                    .notify_fd = -1,
                                    .private = private};
    if (!private)
        return sandbox_fail(failure, "memory", ENOMEM);
    *private =
        (struct sandbox_child_private){.sandbox = sandbox, .proc_fd = -1, .loopback = {-1, -1}};
    result = prepare(sandbox, command, child, &plan, program, &setup_write_fd, failure);
    if (result == 0)
        result = start(sandbox, &plan, child, failure);
    close_ends(&plan, &setup_write_fd);
    return result;
}

int sandbox_spawn(struct sandbox *sandbox, const struct sandbox_command *command,
                  struct sandbox_child *child, struct sandbox_failure *failure)
{
    int result;

    pthread_mutex_lock(&sandbox->mutex); /* only one starts at a time */
    result = spawn(sandbox, command, child, failure);
    pthread_mutex_unlock(&sandbox->mutex);
    if (result < 0)
        sandbox_child_finish(child);
    return result;
}
