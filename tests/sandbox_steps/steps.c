/* SPDX-License-Identifier: MIT */
/*
 * What each process asks of the kernel between clone and exec: the orders that safety needs, and
 * that a call which fails ends the start. The calls are recorded and not made; each succeeds
 * unless it is the one that is to fail.
 */
#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "sandbox/prepared.h"

enum {
    ARENA_PID = 77,
    CALLS_MAX = 256,
    DEPTH_MAX = 4,
    ANY = -1,
    FIRST_FD = 100, /* the first that the recorder gives */
};

/* ---- the recorder ---- */

struct made_call {
    long number, first, second;
    int process; /* which made it */
};

static struct {
    bool records; /* calls are recorded, else made */
    int fail_at;  /* index of the call that fails; -1: none */
    pid_t parent; /* what getppid returns */
    int count;
    struct made_call calls[CALLS_MAX];
    int clone_error; /* of calls that are not recorded; 0: they are made */
} recorder;

static jmp_buf *ends[DEPTH_MAX];
static int depth, process, process_count, next_fd, next_pid;

static void run_child(int (*child_fn)(void *), void *plan)
{
    const int parent = process;
    jmp_buf end;

    cr_assert_lt(depth, DEPTH_MAX);
    process = process_count++;
    ends[depth++] = &end;
    if (setjmp(end) == 0)
        child_fn(plan);
    depth--;
    process = parent;
}

/* Returns false if this is the call that fails. */
static bool record(long number, long first, long second)
{
    cr_assert_lt(recorder.count, CALLS_MAX);
    recorder.calls[recorder.count] = (struct made_call){number, first, second, process};
    if (recorder.count++ != recorder.fail_at || number == SYS_exit_group)
        return true;
    errno = EPROTO;
    return false;
}

/* The names that the linker gives to what stands in for a function of the C library. */
/* NOLINTBEGIN(bugprone-reserved-identifier) */
long __real_syscall(long number, ...);
int __real_fstat(int fd, struct stat *status);
int __real_clone(int (*child_fn)(void *), void *stack, int flags, void *argument, ...);
long __wrap_syscall(long number, long a, long b, long c, long d, long e);
int __wrap_fstat(int fd, struct stat *status);
int __wrap_clone(int (*child_fn)(void *), void *stack, int flags, void *argument, ...);

long __wrap_syscall(long number, long a, long b, long c, long d, long e)
{
    if (!recorder.records)
        return __real_syscall(number, a, b, c, d, e);
    if (!record(number, a, b))
        return -1;
    switch (number) {
    case SYS_exit_group:
    case SYS_execve:
    case SYS_execveat:
        longjmp(*ends[depth - 1], 1);
    case SYS_getppid:
        return recorder.parent;
    case SYS_openat:
    case SYS_seccomp:
        return next_fd++;
    default:
        return 0;
    }
}

int __wrap_fstat(int fd, struct stat *status)
{
    if (!recorder.records)
        return __real_fstat(fd, status);
    *status = (struct stat){.st_mode = S_IFDIR};
    return 0;
}

int __wrap_clone(int (*child_fn)(void *), void *stack, int flags, void *argument, ...)
{
    va_list rest;
    int *pid_fd, pid = next_pid++;

    va_start(rest, argument);
    pid_fd = va_arg(rest, int *);
    va_end(rest);
    if (!recorder.records && recorder.clone_error) {
        errno = recorder.clone_error;
        return -1;
    }
    if (!recorder.records)
        return __real_clone(child_fn, stack, flags, argument, pid_fd);
    if (!record(SYS_clone, child_fn == confine_bot, flags))
        return -1;
    *pid_fd = next_fd++;
    run_child(child_fn, argument);
    return pid;
}
/* NOLINTEND(bugprone-reserved-identifier) */

/* ---- the plans ---- */

static const char *const argv[] = {"./bot", "--fast", NULL};

static const struct runtime runtime = {
    .paths = {{.path = "/usr", .is_folder = true, .runs = true},
              {.path = "/bin", .is_link = true, .link_target = "usr/bin", .runs = true},
              {.path = "/etc/ssl/openssl.cnf"},
              {.path = "/dev/null", .is_device = true}},
    .path_count = 4,
};

static const struct row {
    const char *name;
    int (*child_fn)(void *plan);
    struct confine_plan plan;
} rows[] = {
    {"bot of the lite tier",
     confine_bot,
     {.path = "./bot", .cpu = -1, .cgroup_fds = {-1}, .user_namespace_fd = -1, .ruleset_fd = -1}},
    {"bot of the lite tier of root, on a core, in groups",
     confine_bot,
     {.executable_fd = 41,
      .cpu = 3,
      .cgroup_fds = {50, 51, -1},
      .user_namespace_fd = -1,
      .ruleset_fd = 40,
      .uid = 1900000007,
      .notify = true}},
    {"bot of root",
     confine_stage,
     {.path = "/usr/bin/bot",
      .cpu = -1,
      .cgroup_fds = {50, -1},
      .user_namespace_fd = 42,
      .ruleset_fd = 40,
      .uid = 1900000007,
      .notify = true,
      .namespace_flags = CLONE_NEWNS | CLONE_NEWPID,
      .net_namespace_fd = 44,
      .proc = true,
      .opens_proc = true,
      .scratch_options = "size=1048576"}},
    {"bot of root without a user namespace, a network and /proc",
     confine_stage,
     {.path = "/usr/bin/bot",
      .cpu = 1,
      .cgroup_fds = {-1},
      .user_namespace_fd = -1,
      .ruleset_fd = 40,
      .uid = 65534,
      .namespace_flags = CLONE_NEWNS | CLONE_NEWPID,
      .net_namespace_fd = -1}},
    {"build of an ordinary user",
     confine_stage,
     {.executable_fd = 41,
      .cpu = -1,
      .cgroup_fds = {50, 51, 52, 53},
      .user_namespace_fd = 42,
      .ruleset_fd = 40,
      .notify = true,
      .namespace_flags = CLONE_NEWNS | CLONE_NEWPID,
      .net_namespace_fd = 44,
      .writable_folder = true,
      .proc = true,
      .scratch_options = "size=1048576"}},
    {"holder of an ordinary user's mounts",
     confine_hold,
     {.user_namespace_fd = 42, .runtime = &runtime, .namespace_flags = CLONE_NEWNS}},
};

/* Runs a row in which a call fails; leaves what was called in the recorder. */
static struct confine_plan run(const struct row *row, int fail_at)
{
    static char *const environment[] = {NULL};
    struct sock_filter code[4] = {{0}};
    struct filter filter = {.code = code, .length = 4};
    struct confine_plan plan = row->plan;

    plan.argv = (char *const *)argv;
    plan.environment = environment;
    plan.stdin_fd = 30;
    plan.stdout_fd = 31;
    plan.stderr_fd = 32;
    plan.folder_fd = 33;
    plan.limits = (struct limits){
        .entries = {{RLIMIT_CORE, {1, 1}}, {RLIMIT_NOFILE, {50, 60}}, {RLIMIT_CPU, {7, 8}}},
        .count = 3};
    plan.filter = &filter;
    plan.landlock_abi = 6;
    plan.arena_pid = ARENA_PID;
    plan.mount_namespace_fd = 43;
    plan.folder = "/bots/alice";
    plan.oom_score = "300";
    plan.keeper_fd = 45;
    plan.life_fd = 46;
    plan.inner_stack_top = code; /* whatever: nothing runs on it */
    plan.notify_fd = plan.proc_fd = plan.passing_fd = -1;
    plan.bot_pid_fd = plan.keeper_pid_fd = plan.stage_pid_fd = -1;
    recorder.records = true;
    recorder.count = 0;
    recorder.fail_at = fail_at;
    if (!recorder.parent)
        recorder.parent = ARENA_PID;
    process = process_count = 0;
    next_fd = FIRST_FD;
    next_pid = 200;
    run_child(row->child_fn, &plan);
    recorder.records = false;
    return plan;
}

static bool matches(const struct made_call *made, const struct made_call *wanted)
{
    return made->number == wanted->number &&
           (wanted->first == ANY || made->first == wanted->first) &&
           (wanted->second == ANY || made->second == wanted->second);
}

/* A process makes all calls of the first kind before any of the second, if it makes both. */
static const struct {
    const char *why;
    struct made_call before, after;
} orders[] = {
    {"a handler of the arena's must not run in its memory",
     {SYS_rt_sigaction, ANY, ANY},
     {SYS_rt_sigprocmask, ANY, ANY}},
    {"groups are dropped while it may", {SYS_setgroups, ANY, ANY}, {SYS_setresuid, ANY, ANY}},
    {"the group's id is changed while it may",
     {SYS_setresgid, 1000, ANY},
     {SYS_setresuid, 1000, ANY}},
    {"a change of id clears it", {SYS_setresuid, 1000, ANY}, {SYS_capset, ANY, ANY}},
    {"the cgroup namespace is rooted in its groups", {SYS_write, 50, ANY}, {SYS_unshare, ANY, ANY}},
    {"mounts are made in a copy", {SYS_setns, 43, CLONE_NEWNS}, {SYS_unshare, ANY, ANY}},
    {"mounts are made in a copy", {SYS_unshare, ANY, ANY}, {SYS_mount, ANY, ANY}},
    {"process 1 is the keeper", {SYS_unshare, ANY, ANY}, {SYS_clone, ANY, ANY}},
    {"process 1 is the keeper", {SYS_clone, false, ANY}, {SYS_clone, true, ANY}},
    {"the old root is left before anything of the bot's",
     {SYS_pivot_root, ANY, ANY},
     {SYS_capset, ANY, ANY}},
    {"limits and rights are set while it may",
     {SYS_prlimit64, 0, RLIMIT_CPU},
     {SYS_seccomp, ANY, ANY}},
    {"limits and rights are set while it may", {SYS_capset, ANY, ANY}, {SYS_seccomp, ANY, ANY}},
    {"no program may gain rights that others dropped",
     {SYS_prctl, PR_SET_NO_NEW_PRIVS, ANY},
     {SYS_landlock_restrict_self, ANY, ANY}},
    {"the filter refuses the rest",
     {SYS_landlock_restrict_self, ANY, ANY},
     {SYS_seccomp, ANY, ANY}},
    {"the rule set is complete",
     {SYS_landlock_add_rule, ANY, ANY},
     {SYS_landlock_restrict_self, ANY, ANY}},
    {"the arena gets the filter's listener", {SYS_seccomp, ANY, ANY}, {SYS_close_range, 3, ANY}},
    {"the arena keeps its descriptors 0 to 2", {SYS_close_range, 3, ANY}, {SYS_dup3, 30, ANY}},
    {"the arena's table may be larger",
     {SYS_close_range, 3, ANY},
     {SYS_prlimit64, 0, RLIMIT_NOFILE}},
    {"signals reach it once it has no handlers",
     {SYS_seccomp, ANY, ANY},
     {SYS_rt_sigprocmask, ANY, ANY}},
};

/* Returns true if the row has both calls. */
static bool is_kept(size_t order, const char *row)
{
    bool has_before = false, has_after = false;

    for (int i = 0; i < recorder.count; i++) {
        const struct made_call *call = &recorder.calls[i];

        has_before |= matches(call, &orders[order].before);
        if (!matches(call, &orders[order].after))
            continue;
        has_after = true;
        for (int j = i + 1; j < recorder.count; j++)
            cr_expect_not(recorder.calls[j].process == call->process &&
                              matches(&recorder.calls[j], &orders[order].before),
                          "%s: %s", row, orders[order].why);
    }
    return has_before && has_after;
}

/* Returns true if a start writes its oom_score_adj, so that whatever the bot forks has it, too. */
static bool raises_oom_score(void)
{
    for (int i = 0; i < recorder.count; i++)
        if (recorder.calls[i].number == SYS_openat &&
            strcmp((const char *)recorder.calls[i].second, "/proc/self/oom_score_adj") == 0)
            return true;
    return false;
}

Test(steps, come_in_the_order_that_safety_needs)
{
    bool seen[sizeof orders / sizeof *orders] = {false};

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct confine_plan plan = run(&rows[i], -1);
        const long last = recorder.calls[recorder.count - 1].number;

        cr_expect_null(plan.failure.step, "%s: %s", rows[i].name, plan.failure.step);
        cr_expect_eq(plan.executing, rows[i].child_fn != confine_hold);
        cr_expect_eq(raises_oom_score(), rows[i].child_fn != confine_hold, "%s", rows[i].name);
        cr_expect_eq(plan.passing_fd, -1);
        cr_expect_eq(plan.notify_fd >= 0, plan.notify);
        cr_expect_eq(plan.proc_fd >= 0, plan.opens_proc);
        cr_expect(last == SYS_execve || last == SYS_execveat || last == SYS_exit_group);
        for (size_t j = 0; j < sizeof orders / sizeof *orders; j++)
            seen[j] |= is_kept(j, rows[i].name);
    }
    for (size_t j = 0; j < sizeof orders / sizeof *orders; j++)
        cr_expect(seen[j], "no row has both calls: %s", orders[j].why);
}

/* True for calls that a start can do without; the only file written is oom_score_adj. */
static bool is_spared(const struct made_call *call)
{
    if (call->number == SYS_openat)
        return strcmp((const char *)call->second, "/proc/self/oom_score_adj") == 0;
    if (call->number == SYS_write)
        return call->first >= FIRST_FD;
    return call->number == SYS_sched_getscheduler || call->number == SYS_getpriority ||
           call->number == SYS_ioprio_set || call->number == SYS_getpid ||
           call->number == SYS_getppid || call->number == SYS_umask || call->number == SYS_close ||
           call->number == SYS_exit_group;
}

Test(steps, a_call_that_fails_ends_the_start)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int count;

        run(&rows[i], -1);
        count = recorder.count;
        for (int j = 0; j < count; j++) {
            struct confine_plan plan = run(&rows[i], j);
            const struct made_call *failed = &recorder.calls[j];
            const bool is_exec = failed->number == SYS_execve || failed->number == SYS_execveat;

            if (is_spared(failed))
                continue;
            cr_expect_not_null(plan.failure.step, "%s: call %d, number %ld", rows[i].name, j,
                               failed->number);
            cr_expect_eq(plan.failure.error, EPROTO);
            cr_expect(is_exec || !plan.executing, "%s: executed in spite of %s", rows[i].name,
                      plan.failure.step);
            for (int k = j + 1; k < recorder.count; k++)
                cr_expect(recorder.calls[k].number == SYS_exit_group ||
                              (recorder.calls[k].process != failed->process &&
                               is_spared(&recorder.calls[k])),
                          "%s: call %ld after %s failed", rows[i].name, recorder.calls[k].number,
                          plan.failure.step);
        }
    }
}

Test(steps, nobody_starts_where_the_arena_has_died)
{
    struct confine_plan plan;

    recorder.parent = 1;
    plan = run(&rows[0], -1);
    cr_expect_eq(plan.failure.error, ESRCH);
    cr_expect_not(plan.executing);
}

/* ---- a clone that fails ---- */

static int count_descriptors(void)
{
    int count = 0;

    for (int fd = 0; fd < 1024; fd++)
        count += fcntl(fd, F_GETFD) >= 0;
    return count;
}

Test(steps, a_clone_that_fails_is_reported_and_leaves_nothing)
{
    static const enum sandbox_tier tiers[] = {SANDBOX_TIER_LITE, SANDBOX_TIER_FULL};
    static const int errors[] = {EAGAIN, ENOMEM, EPERM};

    for (size_t i = 0; i < sizeof tiers / sizeof *tiers; i++) {
        const struct sandbox_options options = {.require = tiers[i], .at_most = tiers[i]};
        const struct sandbox_command command = {
            .folder = "/usr", .argv = argv, .executable_fd = -1, .cpu = -1};
        struct sandbox_failure failure;
        struct sandbox_child child;
        struct sandbox *sandbox;
        int kept;

        recorder.clone_error = 0;
        cr_assert_eq(sandbox_create(&sandbox, &options, &failure), 0, "%s", failure.step);
        sandbox_spawn(sandbox, &command, &child, &failure); /* fails, but makes its slot */
        sandbox_child_finish(&child);
        kept = count_descriptors();
        for (size_t j = 0; j < sizeof errors / sizeof *errors; j++) {
            recorder.clone_error = errors[j];
            cr_expect_eq(sandbox_spawn(sandbox, &command, &child, &failure), -errors[j]);
            cr_expect_str_eq(failure.step, "clone");
            cr_expect_eq(failure.error, errors[j]);
            cr_expect_eq(waitpid(-1, NULL, WNOHANG | __WALL), -1, "a process is left");
            cr_expect_eq(sandbox->slots[0].state, SLOT_FREE, "the slot stays taken");
            cr_expect_null(sandbox->starting);
            cr_expect_eq(count_descriptors(), kept, "descriptors are left");
        }
        sandbox_destroy(sandbox);
    }
}
