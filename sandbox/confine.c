#include "sandbox/confine.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <linux/close_range.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sandbox/loopback.h"
#include "sandbox/root.h"

enum {
    KERNEL_SIGSET_BYTES = 8,
    FIRST_FD_CLOSED = 3,
    SIGRTMIN_KERNEL = 32, /* higher signals cannot have been handled or ignored */
};

/*
 * Calls the kernel directly: the C library's wrappers for IDs and signals apply to all threads of
 * the process, which here is the arena.
 */
long confine_check(struct confine_plan *plan, const char *step, long result)
{
    if (result >= 0)
        return result;
    plan->failure = (struct sandbox_failure){.step = step, .error = errno};
    syscall(SYS_exit_group, 127);
    __builtin_unreachable();
}

/* Resets the signal handlers and ignored signals inherited from the arena. */
static void reset_signals(struct confine_plan *plan)
{
    const struct {
        void *handler;
        unsigned long flags;
        void *restorer;
        unsigned long mask;
    } by_default = {0};

    for (int number = 1; number < SIGRTMIN_KERNEL; number++)
        if (number != SIGKILL && number != SIGSTOP)
            confine_check(
                plan, "rt_sigaction",
                syscall(SYS_rt_sigaction, number, &by_default, NULL, KERNEL_SIGSET_BYTES));
}

static void set_limit(struct confine_plan *plan, const struct limit *limit)
{
    confine_check(plan, "setrlimit",
                  syscall(SYS_prlimit64, 0, limit->resource, &limit->values, NULL));
}

/*
 * Sets all limits except that of open files. That one is set once nothing more is opened in the
 * arena's descriptor table: with many bots, the filter's listener would exceed the limit there.
 */
static void set_limits(struct confine_plan *plan)
{
    for (int i = 0; i < plan->limits.count; i++)
        if (plan->limits.entries[i].resource != RLIMIT_NOFILE)
            set_limit(plan, &plan->limits.entries[i]);
}

static void set_file_limit(struct confine_plan *plan)
{
    for (int i = 0; i < plan->limits.count; i++)
        if (plan->limits.entries[i].resource == RLIMIT_NOFILE)
            set_limit(plan, &plan->limits.entries[i]);
}

static void stay_on_core(struct confine_plan *plan)
{
    cpu_set_t cores;

    if (plan->cpu < 0)
        return;
    CPU_ZERO(&cores);
    CPU_SET((size_t)plan->cpu, &cores);
    confine_check(plan, "sched_setaffinity",
                  syscall(SYS_sched_setaffinity, 0, sizeof cores, &cores));
}

static void join_cgroups(struct confine_plan *plan)
{
    for (int i = 0; i < CONFINE_CGROUPS_MAX && plan->cgroup_fds[i] >= 0; i++)
        confine_check(plan, "join the control group",
                      syscall(SYS_write, plan->cgroup_fds[i], "0", 1));
}

/*
 * Among threads of one real-time priority none is taken off its core before it waits. The set-up is
 * a millisecond of work, and bots that think would wait for all of it.
 */
static void give_way(const struct confine_plan *plan)
{
    if (plan->gives_way)
        syscall(SYS_sched_yield);
}

static void become(struct confine_plan *plan, uid_t uid)
{
    confine_check(plan, "setresgid", syscall(SYS_setresgid, uid, uid, uid));
    confine_check(plan, "setresuid", syscall(SYS_setresuid, uid, uid, uid));
}

/*
 * Root switches to the UID of the slot, inside its user namespace if it has one. That namespace is
 * joined only now, so that the bot has no privileges over its other namespaces. Any other user has
 * joined it first, because it gives the rights for everything else.
 */
static void become_unprivileged(struct confine_plan *plan)
{
    if (plan->uid == 0)
        return;
    confine_check(plan, "setgroups", syscall(SYS_setgroups, 0, NULL));
    if (plan->user_namespace_fd >= 0)
        confine_check(plan, "join the user namespace",
                      syscall(SYS_setns, plan->user_namespace_fd, CLONE_NEWUSER));
    become(plan, plan->user_namespace_fd >= 0 ? CONFINE_UID : plan->uid);
}

/*
 * Makes the process die with the arena. Called after the change of UID, which would clear the
 * setting.
 */
static void die_with_arena(struct confine_plan *plan)
{
    confine_check(plan, "pdeathsig", syscall(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0));
    /*
     * The arena may already be dead. In a PID namespace its PID is not visible, and the keeper
     * checks instead.
     */
    if (!plan->namespace_flags && syscall(SYS_getppid) != plan->arena_pid) {
        errno = ESRCH;
        confine_check(plan, "pdeathsig", -1);
    }
}

/*
 * Drops all capabilities except the bounding set: with no_new_privs no program can gain
 * capabilities, and dropping the set takes a call for each of them.
 */
static void drop_capabilities(struct confine_plan *plan)
{
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = {0};

    confine_check(plan, "capset", syscall(SYS_capset, &header, none));
}

static void load_filter(struct confine_plan *plan)
{
    struct sock_fprog program = {.len = plan->filter->length, .filter = plan->filter->code};
    unsigned flags = plan->notify ? SECCOMP_FILTER_FLAG_NEW_LISTENER : 0;
    long result;

    filter_set_pid(plan->filter, (pid_t)syscall(SYS_getpid));
    result = confine_check(plan, "seccomp",
                           syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program));
    if (plan->notify)
        plan->notify_fd = (int)result;
}

/* Gives the process its own descriptor table: pipes on 0 to 2; exec closes the rest. */
static void lay_descriptors(struct confine_plan *plan)
{
    confine_check(
        plan, "close_range",
        syscall(SYS_close_range, FIRST_FD_CLOSED, ~0u, CLOSE_RANGE_UNSHARE | CLOSE_RANGE_CLOEXEC));
    confine_check(plan, "dup3", syscall(SYS_dup3, plan->stdin_fd, STDIN_FILENO, 0));
    confine_check(plan, "dup3", syscall(SYS_dup3, plan->stdout_fd, STDOUT_FILENO, 0));
    confine_check(plan, "dup3", syscall(SYS_dup3, plan->stderr_fd, STDERR_FILENO, 0));
}

static void execute(struct confine_plan *plan)
{
    static const unsigned long no_signals;

    confine_check(plan, "rt_sigprocmask",
                  syscall(SYS_rt_sigprocmask, SIG_SETMASK, &no_signals, NULL, KERNEL_SIGSET_BYTES));
    plan->executing = true;
    if (plan->path)
        syscall(SYS_execve, plan->path, plan->argv, plan->environment);
    else
        syscall(SYS_execveat, plan->executable_fd, "", plan->argv, plan->environment,
                AT_EMPTY_PATH);
    confine_check(plan, "execve", -1);
}

int confine_bot(void *argument)
{
    struct confine_plan *plan = argument;

    reset_signals(plan);
    if (plan->namespace_flags) {
        root_enter(plan);
    } else {
        confine_check(plan, "setsid", syscall(SYS_setsid));
        join_cgroups(plan);
        confine_check(plan, "fchdir", syscall(SYS_fchdir, plan->folder_fd));
    }
    give_way(plan);
    stay_on_core(plan);
    become_unprivileged(plan);
    set_limits(plan);
    die_with_arena(plan);
    drop_capabilities(plan);
    confine_check(plan, "no_new_privs", syscall(SYS_prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
    if (plan->ruleset_fd >= 0)
        confine_check(plan, "landlock_restrict_self",
                      syscall(SYS_landlock_restrict_self, plan->ruleset_fd, 0));
    give_way(plan);
    load_filter(plan);
    give_way(plan);
    lay_descriptors(plan);
    set_file_limit(plan);
    execute(plan);
    return 127;
}

int confine_hold(void *argument)
{
    static char name[] = "keeper", hold[] = "hold";
    static char *const argv[] = {name, hold, NULL};
    struct confine_plan *plan = argument;

    if (plan->namespace_flags) {
        if (plan->user_namespace_fd >= 0)
            confine_check(plan, "join the user namespace",
                          syscall(SYS_setns, plan->user_namespace_fd, CLONE_NEWUSER));
        confine_check(plan, "unshare", syscall(SYS_unshare, plan->namespace_flags));
    }
    if (plan->loopback)
        loopback_set_up(plan);
    if (plan->runtime)
        root_build(plan);
    confine_check(plan, "dup3", syscall(SYS_dup3, plan->life_fd, STDIN_FILENO, 0));
    confine_check(plan, "dup3", syscall(SYS_dup3, plan->stdout_fd, STDOUT_FILENO, 0));
    confine_check(plan, "execute the keeper",
                  syscall(SYS_execveat, plan->keeper_fd, "", argv, NULL, AT_EMPTY_PATH));
    return 127;
}

/* Runs as PID 1 of the namespace. It has its own descriptor table from the start. */
static int start_keeper(void *argument)
{
    static char name[] = "keeper";
    static char *const argv[] = {name, NULL};
    struct confine_plan *plan = argument;

    if (plan->uid != 0) {
        confine_check(plan, "setgroups", syscall(SYS_setgroups, 0, NULL));
        become(plan, plan->uid);
    }
    confine_check(plan, "pdeathsig", syscall(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0));
    confine_check(plan, "dup3", syscall(SYS_dup3, plan->life_fd, STDIN_FILENO, 0));
    confine_check(plan, "close_range",
                  syscall(SYS_close_range, STDOUT_FILENO, ~0u, CLOSE_RANGE_CLOEXEC));
    confine_check(plan, "execute the keeper",
                  syscall(SYS_execveat, plan->keeper_fd, "", argv, NULL, AT_EMPTY_PATH));
    return 127;
}

int confine_stage(void *argument)
{
    static const char host_name[] = "bot";
    struct confine_plan *plan = argument;

    /*
     * Keeper and bot share one session, because creating another makes the process wait for the
     * scheduler's new group.
     */
    confine_check(plan, "setsid", syscall(SYS_setsid));
    join_cgroups(plan); /* first, so that its cgroup namespace is rooted there */
    if (plan->uid == 0)
        confine_check(plan, "join the user namespace",
                      syscall(SYS_setns, plan->user_namespace_fd, CLONE_NEWUSER));
    confine_check(plan, "join the mount namespace",
                  syscall(SYS_setns, plan->mount_namespace_fd, CLONE_NEWNS));
    if (plan->net_namespace_fd >= 0)
        confine_check(plan, "join the network namespace",
                      syscall(SYS_setns, plan->net_namespace_fd, CLONE_NEWNET));
    confine_check(plan, "unshare", syscall(SYS_unshare, plan->namespace_flags));
    confine_check(plan, "sethostname", syscall(SYS_sethostname, host_name, sizeof host_name - 1));
    root_furnish(plan);
    give_way(plan);
    plan->keeper_pid =
        (pid_t)confine_check(plan, "clone the keeper",
                             clone(start_keeper, plan->inner_stack_top,
                                   CLONE_VM | CLONE_VFORK | CLONE_PARENT | CLONE_PIDFD | SIGCHLD,
                                   plan, &plan->keeper_pid_fd));
    syscall(SYS_sched_setaffinity, 0, sizeof plan->cores, &plan->cores);
    syscall(SYS_sched_setaffinity, plan->arena_thread, sizeof plan->cores, &plan->cores);
    give_way(plan);
    if (!plan->failure.step)
        plan->bot_pid = (pid_t)confine_check(
            plan, "clone the bot",
            clone(confine_bot, plan->inner_stack_top,
                  CLONE_VM | CLONE_VFORK | CLONE_PARENT | CLONE_FILES | CLONE_PIDFD | SIGCHLD, plan,
                  &plan->bot_pid_fd));
    syscall(SYS_exit_group, 0);
    return 0;
}
