/* The child's side of the set-up, in the arena's memory: what it must not inherit, and leaves. */
#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <seccomp.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sandbox/prepared.h"
#include "tests/sandbox/confined.h"

enum {
    SIGNALLED_STARTS = 20,
};

static struct sandbox *open_sandbox(enum sandbox_tier tier)
{
    const struct sandbox_options options = {.require = SANDBOX_TIER_LITE, .at_most = tier};
    struct sandbox_failure failure = {0};
    struct sandbox *sandbox;

    cr_assert_eq(sandbox_create(&sandbox, &options, &failure), 0, "%s", failure.step);
    return sandbox;
}

static int count_descriptors(void)
{
    int count = 0;

    for (int fd = 0; fd < 1024; fd++)
        count += fcntl(fd, F_GETFD) >= 0;
    return count;
}

/* ---- a rule of Landlock that the kernel has no memory for ---- */

/* Refuses the rules that are made on a child's stack, which lies below the arena's own. */
static void refuse_rules_of_children(const void *on_own_stack)
{
    struct rlimit stack;
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);

    cr_assert_not_null(filter);
    cr_assert_eq(getrlimit(RLIMIT_STACK, &stack), 0);
    cr_assert_eq(
        seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOMEM), SCMP_SYS(landlock_add_rule), 1,
                         SCMP_A2(SCMP_CMP_LT, (uintptr_t)on_own_stack - (uintptr_t)stack.rlim_cur)),
        0);
    cr_assert_eq(seccomp_load(filter), 0);
    seccomp_release(filter);
}

Test(set_up, a_rule_that_the_kernel_refuses_leaves_nothing)
{
    static const char *const argv[] = {"true", NULL};
    const struct sandbox_command command = {
        .folder = "/usr", .argv = argv, .executable_fd = -1, .cpu = -1};
    struct sandbox *sandbox = open_sandbox(SANDBOX_TIER_FULL);
    int descriptor_count = 0;

    if (sandbox->tier < SANDBOX_TIER_FULL || !sandbox->machine.proc)
        cr_skip_test("this machine lets no /proc be mounted");
    refuse_rules_of_children(&descriptor_count);
    for (int i = 0; i < 3; i++) {
        struct sandbox_failure failure = {0};
        struct sandbox_child child;

        cr_expect_eq(sandbox_spawn(sandbox, &command, &child, &failure), -ENOMEM);
        cr_expect_str_eq(failure.step, "landlock_add_rule");
        cr_expect_eq(failure.error, ENOMEM, "%s", strerror(failure.error));
        sandbox_child_finish(&child);
        if (i == 0)
            descriptor_count = count_descriptors(); /* those of the slot were opened */
    }
    cr_expect_eq(count_descriptors(), descriptor_count);
    cr_expect_eq(waitpid(-1, NULL, WNOHANG | __WALL), -1, "a child is left");
    sandbox_destroy(sandbox);
}

/* ---- signals that the arena has handlers for ---- */

static pid_t arena_pid;
static atomic_int taken_count, astray_count;

static void note_signal(int number)
{
    (void)number;
    if (syscall(SYS_getpid) == arena_pid)
        taken_count++;
    else
        astray_count++;
}

/* Ctrl-C reaches every process of the group; this one has no handler for it. */
static pid_t start_signalling(void)
{
    pid_t pid = fork();

    cr_assert_geq(pid, 0);
    if (pid > 0)
        return pid;
    signal(SIGUSR1, SIG_IGN);
    while (getppid() == arena_pid)
        kill(0, SIGUSR1);
    _exit(0);
}

Test(set_up, no_handler_of_the_arena_runs_in_a_child)
{
    static const char *const argv[] = {"true", NULL};
    const struct sandbox_command command = {
        .folder = "/usr", .argv = argv, .executable_fd = -1, .cpu = -1};
    const struct sigaction action = {.sa_handler = note_signal, .sa_flags = SA_RESTART};
    pid_t signalling;

    if (getpgrp() != getpid())
        cr_assert_eq(setpgid(0, 0), 0);
    arena_pid = (pid_t)syscall(SYS_getpid);
    cr_assert_eq(sigaction(SIGUSR1, &action, NULL), 0);
    signalling = start_signalling();
    for (int i = 0; i < SIGNALLED_STARTS; i++) {
        /* A new one each time, whose holders of namespaces are new as well. */
        struct sandbox *sandbox = open_sandbox(i % 2 ? SANDBOX_TIER_FULL : SANDBOX_TIER_LITE);
        struct sandbox_failure failure = {0};
        struct sandbox_child child;

        cr_expect_eq(sandbox_spawn(sandbox, &command, &child, &failure), 0, "%s: %s", failure.step,
                     strerror(failure.error));
        sandbox_child_finish(&child);
        sandbox_destroy(sandbox);
    }
    kill(signalling, SIGKILL);
    waitpid(signalling, NULL, 0);
    cr_expect_gt(taken_count, 0, "no signal came: this shows nothing");
    cr_expect_eq(astray_count, 0, "%d of %d handlers ran in a child", astray_count, taken_count);
}

/* ---- the core that a bot is given ---- */

Test(set_up, a_bot_has_its_core_alone_whatever_the_stack_held)
{
    static const char *const argv[] = {"python3", "-c", "import os; print(os.sched_getaffinity(0))",
                                       NULL};
    static struct confined_run run;
    const struct sandbox_command command = {
        .folder = "/usr", .argv = argv, .executable_fd = -1, .cpu = 0};

    for (enum sandbox_tier tier = SANDBOX_TIER_LITE; tier <= SANDBOX_TIER_FULL; tier++) {
        struct sandbox *sandbox = open_sandbox(tier);

        memset(sandbox->stacks, 0xff,
               (size_t)((char *)sandbox->inner_stack_top - (char *)sandbox->stacks));
        confined_run(sandbox, &command, NULL, 10000, &run);
        cr_expect_str_eq(run.output, "{0}\n", "tier %d: %s", (int)tier, run.errors);
        sandbox_destroy(sandbox);
    }
}
