/* SPDX-License-Identifier: MIT */
/*
 * Theory of operation.
 *
 * The arena is one process and is not dumpable, so that no process of the same UID can inspect it.
 * sandbox_create (prepare.c) finds out by trial what the machine supports, and opens what every
 * child needs: the runtimes' folders and the keeper's program. A slot has the resources
 * that one child at a time uses: a UID, control groups, a user namespace with its ID map, a mount
 * namespace with the root that bots see. They are created when a child first uses the slot.
 *
 * sandbox_spawn prepares a plan and calls clone; the new processes run confine.c in the arena's
 * memory, on stacks of their own, while the arena waits for the last exec (vfork copies no memory,
 * so the size of the arena does not matter). In the full tier there are three processes. All are
 * children of the arena, so that only the arena can reap them:
 *
 *   stage    joins the slot's namespaces, copies the mount namespace, adds the bot's folder, exits
 *   keeper   process 1 of the PID namespace (keeper.c); lives as long as the bot
 *   bot      process 2: enters its root, drops all privileges, loads its filter, executes
 *
 * In the lite tier there is only the bot. Stage and bot share the arena's descriptor table, so that
 * the arena gets the listener of the bot's filter. Once the filter is loaded, the bot unshares the
 * table and keeps three pipes:
 *
 *   stdin    arena -> bot   messages of the wire protocol
 *   stdout   bot -> arena   messages of the wire protocol
 *   stderr   bot -> arena   free text
 *
 * A fourth pipe, setup, carries no data: exec closes it. If a step fails, the failing process
 * records the step in the plan, and the bot's program never runs. Keeper and bot die with the arena
 * because of PR_SET_PDEATHSIG. The keeper also reads a pipe that closes when the arena dies; when
 * the keeper ends, the kernel kills its whole namespace. child.c handles the running child.
 *
 * SIGKILL does not end a process that is stuck in the kernel (a file system that hangs, a tracer).
 * Every wait for an end therefore has a deadline (death.c): a child that still lives
 * SANDBOX_DYING_MS after it was killed is given up, and its processes stay with their slot, which
 * is not reused before they have ended. Only clone itself waits in the kernel, without a deadline,
 * for the new process; another thread can end this wait with sandbox_spawn_abort, which kills the
 * new process.
 *
 * Any thread may start and finish children; only one thread at a time starts a child. clone blocks
 * only the thread that calls it. PR_SET_PDEATHSIG reacts to the end of that thread, so the thread
 * must outlive the children that it started.
 */
#include "sandbox/prepared.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sandbox/death.h"
#include "sandbox/landlock.h"
#include "sandbox/process_scan.h"

/* ---- aborting a start that hangs ---- */

void sandbox_starting(struct sandbox *sandbox, struct confine_plan *plan)
{
    pthread_mutex_lock(&sandbox->starting_mutex);
    if (!plan && sandbox->starting)
        close_fd(&sandbox->starting->stage_pid_fd);
    sandbox->starting = plan;
    pthread_mutex_unlock(&sandbox->starting_mutex);
}

static void kill_by(int pid_fd)
{
    if (pid_fd >= 0)
        syscall(SYS_pidfd_send_signal, pid_fd, SIGKILL, NULL, 0);
}

void sandbox_spawn_abort(struct sandbox *sandbox)
{
    struct confine_plan *plan;

    pthread_mutex_lock(&sandbox->starting_mutex);
    plan = sandbox->starting;
    if (plan) { /* kills stage, keeper and bot, because none may run in the arena's memory once
                   clone returns */
        plan->aborted = true;
        kill_by(plan->stage_pid_fd);
        kill_by(plan->keeper_pid_fd);
        kill_by(plan->bot_pid_fd);
    }
    pthread_mutex_unlock(&sandbox->starting_mutex);
}

/* Returns the PID of the process to which a pidfd refers, or 0. */
static pid_t find_pid(int pid_fd)
{
    char path[64], text[PROCESS_FILE_BYTES_MAX];
    int64_t pid;

    snprintf(path, sizeof path, "/proc/self/fdinfo/%d", pid_fd);
    process_read(AT_FDCWD, path, text, sizeof text);
    pid = process_figure(text, "\nPid:");
    return pid > 0 ? (pid_t)pid : 0;
}

/*
 * Sets the missing PIDs in the plan of an aborted start: the stage (the process that starts keeper
 * and bot) may have been killed before it recorded their PIDs.
 */
static void find_started(struct confine_plan *plan)
{
    if (plan->keeper_pid <= 0)
        plan->keeper_pid = find_pid(plan->keeper_pid_fd);
    if (plan->bot_pid <= 0)
        plan->bot_pid = find_pid(plan->bot_pid_fd);
}

/* ---- the plan of a child ---- */

/*
 * What the arena keeps for itself. A daemon builds and checks a submission in another process,
 * whose processes count with the arena's; a build may have 386 of them.
 */
static const struct sandbox_share own_share = {.memory_bytes = 64 << 20, .task_count = 512};

/*
 * Returns a plan, the instructions to a child before exec, for a command. plan_bot later adds the
 * slot, the namespaces and the Landlock rules.
 */
static struct confine_plan plan_begin(const struct sandbox *sandbox,
                                      const struct sandbox_command *command)
{
    return (struct confine_plan){
        .executable_fd = command->executable_fd,
        .argv = (char *const *)command->argv,
        .stdin_fd = -1,
        .stdout_fd = -1,
        .stderr_fd = -1,
        .folder_fd = -1,
        .ruleset_fd = -1,
        .notify_fd = -1,
        .passing_fd = -1,
        .landlock_abi = sandbox->machine.landlock_abi,
        .user_namespace_fd = -1,
        .mount_namespace_fd = -1,
        .net_namespace_fd = -1,
        .proc_fd = -1,
        .bot_pid_fd = -1,
        .keeper_pid_fd = -1,
        .stage_pid_fd = -1,
        .keeper_fd = -1,
        .life_fd = -1,
        .cpu = command->cpu,
        .arena_pid = getpid(),
        .cgroup_fds = {-1},
    };
}

/* Sets *filter to the program of the variant. Returns 0 or -errno. */
static int get_filter(struct sandbox *sandbox, unsigned variant, struct filter **filter)
{
    *filter = &sandbox->filters[variant];
    return (*filter)->code ? 0 : filter_init(*filter, variant);
}

/*
 * Creates the Landlock rule set of a child, which allows the runtimes and the child's folder. Of
 * the devices, a build may write to /dev/null but not to /dev/zero: the kernel does not limit the
 * memory of shared mappings of /dev/zero. Returns the rule set's descriptor or -errno.
 */
static int open_ruleset(const struct sandbox *sandbox, int folder_fd, bool build, bool tcp)
{
    int abi = sandbox->machine.landlock_abi;
    int ruleset_fd = landlock_open(abi, tcp);
    int result = 0;

    if (ruleset_fd < 0)
        return ruleset_fd;
    for (size_t i = 0; i < sandbox->runtime.path_count && result == 0; i++) {
        const struct runtime_path *path = &sandbox->runtime.paths[i];

        result = landlock_allow(ruleset_fd, abi, path->path_fd,
                                build && strcmp(path->path, "/dev/null") == 0 ? LANDLOCK_WRITE
                                : path->runs                                  ? LANDLOCK_RUN
                                                                              : LANDLOCK_READ);
    }
    if (result == 0)
        result = landlock_allow(ruleset_fd, abi, folder_fd, build ? LANDLOCK_BUILD : LANDLOCK_RUN);
    if (result < 0) {
        close(ruleset_fd);
        return result;
    }
    return ruleset_fd;
}

/*
 * Gives a build a private network. If the machine cannot create networks, the build keeps the
 * slot's empty network. Returns 0, or -errno with *failure set.
 */
static int plan_loopback(struct sandbox *sandbox, struct sandbox_child_private *priv,
                         struct confine_plan *plan, struct sandbox_failure *failure)
{
    int result =
        slot_make_loopback(sandbox, priv->slot, &priv->loopback, &priv->socket_bytes, failure);

    if (result < 0)
        return sandbox->machine.loopback ? result : 0;
    plan->loopback = true;
    plan->net_namespace_fd = priv->loopback.namespace_fd;
    return 0;
}

/*
 * Adds to the plan the namespaces, the root and the keeper, which only the full tier has. Returns
 * 0, or -errno with *failure set.
 */
static int plan_namespaces(struct sandbox *sandbox, const struct sandbox_command *command,
                           struct sandbox_child_private *priv, struct confine_plan *plan,
                           struct sandbox_failure *failure)
{
    int result = slot_open_namespaces(sandbox, priv->slot, failure);

    if (result < 0)
        return result;
    plan->user_namespace_fd = priv->slot->user_namespace_fd;
    plan->mount_namespace_fd = priv->slot->mount_namespace_fd;
    plan->net_namespace_fd = priv->slot->network.namespace_fd;
    if (command->net_namespace && plan->net_namespace_fd < 0)
        return sandbox_fail(failure, "make a network namespace", ENOTSUP);
    plan->namespace_flags =
        CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWCGROUP;
    plan->folder = command->folder;
    plan->runtime = &sandbox->runtime;
    plan->proc = sandbox->machine.proc;
    plan->keeper_fd = sandbox->keeper_fd;
    plan->life_fd = sandbox->life_fds[0];
    plan->inner_stack_top = sandbox->inner_stack_top;
    plan->writable_folder = command->profile == SANDBOX_PROFILE_BUILD;
    if (priv->limits.scratch_bytes > 0) {
        /*
         * One file per page at most, so that files' names take no more memory than their contents.
         */
        snprintf(priv->scratch_options, sizeof priv->scratch_options,
                 "size=%lld,nr_inodes=%lld,mode=1777", (long long)priv->limits.scratch_bytes,
                 (long long)priv->limits.scratch_bytes / 4096 + 2);
        plan->scratch_options = priv->scratch_options;
    }
    return plan->writable_folder && plan->net_namespace_fd >= 0 && sandbox->machine.loopback
               ? plan_loopback(sandbox, priv, plan, failure)
               : 0;
}

static int plan_cgroups(struct sandbox *sandbox, struct sandbox_child_private *priv,
                        struct confine_plan *plan)
{
    const struct cgroup *cgroup = &priv->slot->cgroup;
    int result = slot_open_cgroup(sandbox, priv->slot, &priv->limits, plan->writable_folder);
    int count = 0;

    if (result < 0)
        return result;
    for (int i = 0; i < CGROUP_CONTROLLERS; i++)
        if (cgroup->join_fds[i] >= 0)
            plan->cgroup_fds[count++] = cgroup->join_fds[i];
    plan->cgroup_fds[count] = -1;
    return 0;
}

struct sandbox_share sandbox_need(const struct sandbox *sandbox,
                                  const struct sandbox_limits *limits)
{
    const struct sandbox_limits resolved = limits_resolve(limits);

    return limits_share(&resolved, sandbox->cgroups.folders[CGROUP_MEMORY][0]);
}

struct sandbox_share sandbox_room(const struct sandbox *sandbox)
{
    struct sandbox_share room = {.memory_bytes = sandbox->home.memory_bytes,
                                 .task_count = sandbox->home.task_count};
    struct rlimit tasks;

    if ((!sandbox->machine.root || sandbox->machine.uid_shared) &&
        getrlimit(RLIMIT_NPROC, &tasks) == 0 && tasks.rlim_cur < (rlim_t)room.task_count)
        room.task_count = (int64_t)tasks.rlim_cur;
    room.memory_bytes -= own_share.memory_bytes;
    room.task_count -= own_share.task_count;
    return room;
}

/*
 * Records what the child may take. If the command must fit, and that is not left, fails. Otherwise
 * the kernel would kill the largest process of the arena's control group, which may be another bot,
 * or would refuse another bot a thread.
 */
static int promise(struct sandbox *sandbox, const struct sandbox_command *command,
                   struct sandbox_child_private *priv, bool memory_cgroup,
                   struct sandbox_failure *failure)
{
    const struct sandbox_share room = sandbox_room(sandbox);
    struct sandbox_share promised;

    priv->slot->promised = limits_share(&priv->limits, memory_cgroup);
    promised = slot_promised(sandbox);
    if (command->must_fit && promised.memory_bytes > room.memory_bytes)
        return sandbox_fail(failure, "the memory that all bots may take", ENOMEM);
    if (command->must_fit && promised.task_count > room.task_count)
        return sandbox_fail(failure, "the processes and threads that all bots may have", EAGAIN);
    priv->home_oom_kill_count = cgroup_home_oom_kills(&sandbox->home);
    return 0;
}

/*
 * Completes the plan, which tells the child what to do before exec, from the command, priv->slot
 * and priv->limits. `program` has room for RUNTIME_PATH_BYTES_MAX and must live as long as the
 * plan, which may point to it. Returns 0, or -errno with *failure set. The caller closes
 * plan->folder_fd and plan->ruleset_fd, even after a failure; the plan borrows all other
 * descriptors from the slot, the sandbox or `priv`.
 */
static int plan_bot(struct sandbox *sandbox, const struct sandbox_command *command,
                    struct sandbox_child_private *priv, struct confine_plan *plan, char *program,
                    struct sandbox_failure *failure)
{
    const bool full = sandbox->tier >= SANDBOX_TIER_FULL;
    const bool build = command->profile == SANDBOX_PROFILE_BUILD;
    const bool several = build || priv->limits.process_count > 1;
    const bool writable = build || priv->limits.scratch_bytes > 0;
    unsigned variant = (several ? FILTER_PROCESSES : 0) | (writable ? FILTER_WRITABLE : 0) |
                       (build ? FILTER_BUILD : 0) | (full ? FILTER_PID_NAMESPACE : 0) |
                       (sandbox->machine.seccomp_notify ? FILTER_NOTIFY : 0) |
                       (command->trace && sandbox->machine.seccomp_notify ? FILTER_TRACE : 0);
    struct limits_setting setting = {
        .own_count = priv->slot->uid > 0 && !sandbox->machine.uid_shared,
        .writable_folder = build,
    };
    int result;

    if (!full && (several || writable || command->net_namespace))
        return sandbox_fail(failure,
                            "only the full tier of the sandbox allows several processes, a "
                            "writable folder or a network",
                            ENOTSUP);
    if (full) {
        result = plan_namespaces(sandbox, command, priv, plan, failure);
        if (result < 0)
            return result;
        setting.own_count |= plan->user_namespace_fd >= 0;
        variant |= plan->loopback ? FILTER_LOOPBACK : 0;
    }
    priv->threads_watched = !setting.own_count;
    if (sandbox->cgroups.version > 0) {
        result = plan_cgroups(sandbox, priv, plan);
        if (result < 0)
            return sandbox_fail(failure, "control group", -result);
        setting.memory_cgroup = cgroup_has_memory(&priv->slot->cgroup);
        variant |= setting.memory_cgroup ? FILTER_MEMORY_CGROUP : 0;
    }
    result = promise(sandbox, command, priv, setting.memory_cgroup, failure);
    if (result < 0)
        return result;
    priv->stop.by_freezer = full && several && cgroup_can_freeze(&priv->slot->cgroup);
    plan->opens_proc = plan->proc && several;
    if (plan->opens_proc)
        priv->available_bytes = memory_available();
    setting.data_shares =
        plan->opens_proc && !setting.memory_cgroup ? 1 : priv->limits.process_count;
    plan->folder_fd = open(command->folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (plan->folder_fd < 0)
        return sandbox_fail(failure, "open the bot's folder", errno);
    if (sandbox->tier >= SANDBOX_TIER_LITE) {
        plan->ruleset_fd = open_ruleset(sandbox, plan->folder_fd, build, plan->loopback);
        if (plan->ruleset_fd < 0)
            return sandbox_fail(failure, "landlock", -plan->ruleset_fd);
    }
    result = get_filter(sandbox, variant, &plan->filter);
    if (result < 0)
        return sandbox_fail(failure, "build the filter", -result);
    plan->notify = sandbox->machine.seccomp_notify;
    plan->uid = priv->slot->uid;
    limits_init(&plan->limits, &priv->limits, &setting);
    if (command->executable_fd >= 0) {
        plan->path = NULL;
    } else if (strchr(command->argv[0], '/')) {
        plan->path = command->argv[0];
    } else {
        result = runtime_find_program(command->argv[0], program);
        if (result < 0 && result != -ENOENT && result != -ENAMETOOLONG)
            return sandbox_fail(failure, "look for the program", -result);
        plan->path = result < 0 ? command->argv[0] : program; /* exec will then report the error */
    }
    return 0;
}

/* ---- the start ---- */

/*
 * Opens the child's four pipes: stores the arena's ends in *child, the child's ends in *plan and
 * *setup_write_fd. Returns 0 or -errno.
 */
static int open_pipes(struct sandbox_child *child, struct confine_plan *plan, int *setup_write_fd)
{
    int *const ends[][2] = {{&plan->stdin_fd, &child->stdin_fd},
                            {&child->stdout_fd, &plan->stdout_fd},
                            {&child->stderr_fd, &plan->stderr_fd},
                            {&child->setup_fd, setup_write_fd}};

    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        int fds[2];

        if (pipe2(fds, O_CLOEXEC) < 0)
            return -errno;
        *ends[i][0] = fds[0];
        *ends[i][1] = fds[1];
    }
    if (fcntl(child->stdin_fd, F_SETFL, O_NONBLOCK) < 0 ||
        fcntl(child->stdout_fd, F_SETFL, O_NONBLOCK) < 0 ||
        fcntl(child->stderr_fd, F_SETFL, O_NONBLOCK) < 0)
        return -errno;
    return 0;
}

/*
 * Starts the processes of the child and copies their PIDs and descriptors from the plan. Blocks
 * signals, so that no handler of the arena runs in a new process. Returns 0 or -errno.
 */
static int clone_bot(struct sandbox *sandbox, struct confine_plan *plan,
                     struct sandbox_child *child)
{
    struct sandbox_child_private *priv = child->private;
    const bool staged = plan->namespace_flags;
    sigset_t all, before;
    pid_t pid;
    int error;

    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &before);
    sandbox_starting(sandbox, plan);
    pid = clone(staged ? confine_stage : confine_bot, sandbox->outer_stack_top,
                CLONE_VM | CLONE_VFORK | CLONE_FILES | CLONE_PIDFD | SIGCHLD, plan,
                staged ? &plan->stage_pid_fd : &plan->bot_pid_fd);
    error = errno;
    sandbox_starting(sandbox, NULL);
    sigprocmask(SIG_SETMASK, &before, NULL);
    if (pid >= 0) {
        /* The first process has its own session and process group, which keep this ID until their
           last process has ended. */
        priv->group = pid;
        if (staged) /* exits once the bot has executed its program or failed */
            slot_await(priv->slot, pid, -1);
        else
            plan->bot_pid = pid;
    }
    if (plan->aborted)
        find_started(plan);
    child->pid = plan->bot_pid;
    child->pid_fd = plan->bot_pid_fd;
    child->notify_fd = plan->notify_fd;
    priv->proc_fd = plan->proc_fd;
    priv->keeper_pid = plan->keeper_pid > 0 ? plan->keeper_pid : 0;
    priv->keeper_pid_fd = plan->keeper_pid_fd;
    return plan->aborted ? -ETIME : pid < 0 ? -error : 0;
}

enum {
    FULL_LAYERS = SANDBOX_LAYER_PID_NS | SANDBOX_LAYER_MOUNT_NS | SANDBOX_LAYER_IPC_NS |
                  SANDBOX_LAYER_UTS_NS | SANDBOX_LAYER_CGROUP_NS | SANDBOX_LAYER_ROOT,
};

enum {
    OOM_SCORE_ABOVE = 300, /* the kernel adds 30 % of the machine's memory to what the child uses */
    OOM_SCORE_MAX = 1000,
};

static uint32_t layers_of(const struct sandbox *sandbox, const struct sandbox_child_private *priv,
                          const struct confine_plan *plan)
{
    const struct cgroup *cgroup = &priv->slot->cgroup;
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

/* Makes the slot's UID the owner of a build's folder; sandbox_child_finish restores the owner. */
static int give_folder(const struct sandbox_command *command, struct sandbox_child_private *priv,
                       struct sandbox_failure *failure)
{
    int result = 0;

    if (command->profile == SANDBOX_PROFILE_BUILD && priv->slot->uid > 0) {
        priv->given_folder = strdup(command->folder);
        result =
            priv->given_folder ? sandbox_give_folder(command->folder, priv->slot->uid) : -ENOMEM;
    }
    return result < 0 ? sandbox_fail(failure, "give the folder to the build", -result) : 0;
}

/*
 * Does the work before clone: fills *plan, the instructions to the child. Records in *child and
 * *plan what the caller must free, even after a failure. Returns 0, or -errno with *failure set.
 */
static int prepare(struct sandbox *sandbox, const struct sandbox_command *command,
                   struct sandbox_child *child, struct confine_plan *plan, char *program,
                   int *setup_write_fd, struct sandbox_failure *failure)
{
    struct sandbox_child_private *priv = child->private;
    int result;

    if (command->trace) {
        priv->refused_counts = calloc(CALLS_TRACED_MAX, sizeof *priv->refused_counts);
        if (!priv->refused_counts)
            return sandbox_fail(failure, "memory", ENOMEM);
    }
    priv->limits = limits_resolve(&command->limits);
    environment_init(&priv->environment, command, &priv->limits);
    plan->environment = priv->environment.variables;
    priv->slot = slot_acquire(sandbox);
    if (!priv->slot)
        return sandbox_fail(failure, "a free slot", EAGAIN);
    snprintf(priv->slot->name, sizeof priv->slot->name, "%s",
             command->name ? command->name : command->argv[0]);
    result = plan_bot(sandbox, command, priv, plan, program, failure);
    if (result < 0)
        return result;
    result = give_folder(command, priv, failure);
    if (result < 0)
        return result;
    result = open_pipes(child, plan, setup_write_fd);
    return result < 0 ? sandbox_fail(failure, "pipes", -result) : 0;
}

/*
 * Plans the child's oom_score_adj: above the arena's, and not below the usual value even if the
 * machine protects the arena. It is not the highest value, so that the kernel still kills another
 * program that has taken a large part of the machine's memory.
 */
static void plan_oom_score(struct sandbox_child_private *priv, struct confine_plan *plan)
{
    char text[PROCESS_FILE_BYTES_MAX];
    int score;

    process_read(AT_FDCWD, "/proc/self/oom_score_adj", text, sizeof text);
    score = atoi(text);
    score = (score > 0 ? score : 0) + OOM_SCORE_ABOVE;
    snprintf(priv->oom_score, sizeof priv->oom_score, "%d",
             score < OOM_SCORE_MAX ? score : OOM_SCORE_MAX);
    plan->oom_score = priv->oom_score;
}

/*
 * A kernel with CONFIG_SCHED_AUTOGROUP divides the processor among sessions. Returns the nice value
 * with which a session has a tenth of a bot's weight, or next to nothing of it; NULL: a bot's.
 */
static const char *session_nice(bool is_build)
{
    return cgroup_site_is_idle() ? "19" : is_build ? "10" : NULL;
}

/* Starts the child, and records its layers or its failure. Returns 0, or -errno with *failure. */
static int start(struct sandbox *sandbox, struct confine_plan *plan, struct sandbox_child *child,
                 struct sandbox_failure *failure)
{
    struct sandbox_child_private *priv = child->private;
    int result;

    plan_oom_score(priv, plan);
    result = clone_bot(sandbox, plan, child);
    if (result < 0)
        return sandbox_fail(failure, "clone", -result);
    priv->executed = plan->executing;
    priv->failure = plan->failure;
    child->layers = layers_of(sandbox, priv, plan);
    priv->is_build = plan->writable_folder;
    priv->session_nice = session_nice(priv->is_build);
    sandbox_child_lower(child);
    if (!plan->failure.step || plan->executing)
        return 0;
    *failure = plan->failure;
    return -plan->failure.error;
}

/*
 * Starts a child for a command. The caller calls sandbox_child_finish even after a failure. Returns
 * 0, or -errno with *failure set.
 */
static int spawn(struct sandbox *sandbox, const struct sandbox_command *command,
                 struct sandbox_child *child, struct sandbox_failure *failure)
{
    char program[RUNTIME_PATH_BYTES_MAX]; /* plan.path may point here */
    struct sandbox_child_private *priv = calloc(1, sizeof *priv);
    struct confine_plan plan = plan_begin(sandbox, command);
    int setup_write_fd = -1;
    int result;

    *child = (struct sandbox_child){.pid_fd = -1,
                                    .stdin_fd = -1,
                                    .stdout_fd = -1,
                                    .stderr_fd = -1,
                                    .setup_fd = -1,
                                    .notify_fd = -1,
                                    .private = priv};
    if (!priv)
        return sandbox_fail(failure, "memory", ENOMEM);
    *priv = (struct sandbox_child_private){.sandbox = sandbox, .proc_fd = -1, .loopback = {-1, -1}};
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

    pthread_mutex_lock(&sandbox->mutex); /* one start at a time */
    result = spawn(sandbox, command, child, failure);
    pthread_mutex_unlock(&sandbox->mutex);
    if (result < 0)
        sandbox_child_finish(child);
    return result;
}
