/* SPDX-License-Identifier: MIT */
/*
 * The child's side of the set-up, in the arena's memory: what it must not inherit, and what it
 * leaves.
 */
#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <seccomp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sandbox/prepared.h"
#include "tests/sandbox/confined.h"

enum {
    SIGNALLED_STARTS = 20,
    QUICK_STARTS = 600,
    OPEN_FILES = 12000,
    LIMIT_MS = 10000,
    ENDED_MS = 60000,
};

/* ---- a Landlock rule for which the kernel has no memory ---- */

enum {
    OWN_STACK_BYTES_MAX = 64 << 20,
};

/* Returns an address above the stacks of children, which they use until they execute. */
static uintptr_t below_own_stack(void)
{
    return (uintptr_t)__builtin_frame_address(0) - OWN_STACK_BYTES_MAX;
}

/* Makes a system call fail from now on, here and in all children; both operands may be NULL. */
static void refuse(int error, int call, const struct scmp_arg_cmp *first,
                   const struct scmp_arg_cmp *second)
{
    struct scmp_arg_cmp operands[2];
    unsigned count = 0;
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);

    cr_assert_not_null(filter);
    if (first)
        operands[count++] = *first;
    if (second)
        operands[count++] = *second;
    cr_assert_eq(
        seccomp_rule_add_array(filter, SCMP_ACT_ERRNO((uint32_t)error), call, count, operands), 0);
    cr_assert_eq(seccomp_load(filter), 0);
    seccomp_release(filter);
}

/* Starts that the kernel refuses say nothing of what the machine allows: no lower tier is taken. */
static void try_without_processes(uint64_t flags)
{
    struct sandbox *sandbox = confined_open(SANDBOX_TIER_FULL);
    struct sandbox_failure failure = {0};

    if (sandbox->tier < SANDBOX_TIER_FULL)
        cr_skip_test("this machine has no full tier");
    sandbox_destroy(sandbox);
    refuse(EAGAIN, SCMP_SYS(clone),
           &SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_NEWUSER | CLONE_VFORK, flags), NULL);
    cr_expect_eq(sandbox_create(&sandbox, NULL, &failure), -EAGAIN);
    cr_expect_eq(failure.error, EAGAIN);
    sandbox_destroy(sandbox);
}

Test(set_up, a_user_namespace_that_lacks_a_process_is_no_lower_tier)
{
    try_without_processes(CLONE_NEWUSER | CLONE_VFORK);
}

Test(set_up, a_start_that_lacks_a_process_is_no_lower_tier)
{
    try_without_processes(CLONE_VFORK);
}

Test(set_up, a_rule_that_the_kernel_refuses_leaves_nothing)
{
    static const char *const argv[] = {"true", NULL};
    const struct sandbox_command command = {
        .folder = "/usr", .argv = argv, .executable_fd = -1, .cpu = -1};
    const int descriptor_count = confined_count_descriptors();
    struct sandbox *sandbox = confined_open(SANDBOX_TIER_FULL);

    if (sandbox->tier < SANDBOX_TIER_FULL || !sandbox->machine.proc)
        cr_skip_test("this machine lets no /proc be mounted");
    refuse(ENOMEM, SCMP_SYS(landlock_add_rule), &SCMP_A2(SCMP_CMP_LT, below_own_stack()), NULL);
    for (int i = 0; i < 3; i++) {
        struct sandbox_failure failure = {0};
        struct sandbox_child child;

        cr_expect_eq(sandbox_spawn(sandbox, &command, &child, &failure), -ENOMEM);
        cr_expect_str_eq(failure.step, "landlock_add_rule");
        cr_expect_eq(failure.error, ENOMEM, "%s", strerror(failure.error));
        sandbox_child_finish(&child);
    }
    sandbox_destroy(sandbox); /* it reaps a keeper that ended late */
    cr_expect_eq(confined_count_descriptors(), descriptor_count);
    cr_expect_eq(waitpid(-1, NULL, WNOHANG | __WALL), -1, "a child is left");
}

/* ---- other failing steps ---- */

/* Which part of memory an address is in. */
#define PROGRAM_MASK UINT64_C(0xff0000000000)

/*
 * A container may allow creating groups but no process in them: the rest of the tier works without.
 */
Test(set_up, groups_that_no_child_can_join_are_done_without)
{
    struct sandbox *sandbox = confined_open(SANDBOX_TIER_FULL_CG);
    const enum sandbox_tier tier = sandbox->tier;

    sandbox_destroy(sandbox);
    if (tier < SANDBOX_TIER_FULL_CG)
        cr_skip_test("this machine gives no control groups");
    /* One byte of this program's data: the keeper, another program, writes one as well. */
    refuse(EPERM, SCMP_SYS(write),
           &SCMP_A1(SCMP_CMP_MASKED_EQ, PROGRAM_MASK, (uintptr_t) __func__ & PROGRAM_MASK),
           &SCMP_A2(SCMP_CMP_EQ, 1));
    sandbox = confined_open(SANDBOX_TIER_FULL_CG);
    cr_expect_eq(sandbox->tier, SANDBOX_TIER_FULL, "tier %d: %s", (int)sandbox->tier,
                 sandbox->machine.full_failure.step);
    cr_expect_str_eq(sandbox->machine.cgroup_failure.step, "join the control group");
    cr_expect_eq(sandbox->machine.cgroup_failure.error, EPERM);
    sandbox_destroy(sandbox);
}

/* So does one in which nothing may be mounted: the lowest tier needs no root of its own. */
Test(set_up, mounts_that_are_refused_leave_the_lowest_tier)
{
    struct sandbox *sandbox = confined_open(SANDBOX_TIER_FULL_CG);
    const enum sandbox_tier tier = sandbox->tier;

    sandbox_destroy(sandbox);
    if (tier < SANDBOX_TIER_FULL)
        cr_skip_test("this machine gives no namespaces");
    refuse(EPERM, SCMP_SYS(mount), NULL, NULL);
    sandbox = confined_open(SANDBOX_TIER_FULL_CG);
    cr_expect_eq(sandbox->tier, SANDBOX_TIER_LITE, "tier %d", (int)sandbox->tier);
    cr_expect_str_eq(sandbox->machine.full_failure.step, "mounts of our own");
    cr_expect_eq(sandbox->machine.full_failure.error, EPERM);
    sandbox_destroy(sandbox);
}

/* On most machines whatever is mounted appears in the other namespaces too, unless forbidden. */
Test(set_up, who_may_mount_has_a_sandbox_with_mounts_that_stay_in_it)
{
    static const char *const places[] = {"/proc", "/sys", "/tmp"};
    struct statfs before[3], after;
    struct sandbox *sandbox;

    /* Shared with the copies that children get, but not with the machine. */
    if (unshare(CLONE_NEWNS) < 0 || mount(NULL, "/", NULL, MS_PRIVATE | MS_REC, NULL) < 0 ||
        mount(NULL, "/", NULL, MS_SHARED | MS_REC, NULL) < 0)
        cr_skip_test("only root has mounts of its own");
    for (int i = 0; i < 3; i++)
        cr_assert_eq(statfs(places[i], &before[i]), 0);
    sandbox = confined_open(SANDBOX_TIER_FULL);
    for (int i = 0; i < 3; i++) {
        cr_assert_eq(statfs(places[i], &after), 0);
        cr_expect_eq(after.f_type, before[i].f_type, "something was mounted at %s", places[i]);
    }
    if (sandbox->machine.landlock_abi > 0)
        cr_expect_geq(sandbox->tier, SANDBOX_TIER_FULL, "%s", sandbox->machine.full_failure.step);
    sandbox_destroy(sandbox);
}

/* ---- signals for which the arena has handlers ---- */

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
        /* A new sandbox each time, so that its namespace holders are new too. */
        struct sandbox *sandbox = confined_open(i % 2 ? SANDBOX_TIER_FULL : SANDBOX_TIER_LITE);
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
        struct sandbox *sandbox = confined_open(tier);

        memset(sandbox->stacks, 0xff,
               (size_t)((char *)sandbox->inner_stack_top - (char *)sandbox->stacks));
        confined_run(sandbox, &command, NULL, LIMIT_MS, &run);
        cr_expect_str_eq(run.output, "{0}\n", "tier %d: %s", (int)tier, run.errors);
        sandbox_destroy(sandbox);
    }
}

/* ---- the root that it is given ---- */

/* Where the machine has links to its runtimes, as /bin to usr/bin, programs may look at them. */
Test(set_up, links_of_the_machine_are_links_in_the_root)
{
    static const char *const argv[] = {"readlink", "/bin", NULL};
    const struct sandbox_command command = {
        .folder = "/usr", .argv = argv, .executable_fd = -1, .cpu = -1};
    struct sandbox *sandbox = confined_open(SANDBOX_TIER_FULL);
    static struct confined_run run;
    char wanted[256] = "";

    if (sandbox->tier < SANDBOX_TIER_FULL || readlink("/bin", wanted, sizeof wanted - 2) < 0)
        cr_skip_test("no root of its own, or /bin is no link here");
    strcat(wanted, "\n");
    confined_run(sandbox, &command, NULL, LIMIT_MS, &run);
    cr_expect_str_eq(run.output, wanted, "%s", run.errors);
    sandbox_destroy(sandbox);
}

/* Root's bots are other users: with root's umask 077, /etc of their root would be closed to them.
 */
Test(set_up, the_umask_of_the_arena_reaches_neither_a_bot_nor_its_root)
{
    static const char *const argv[] = {"sh", "-c", "umask; cd /etc", NULL};
    static struct confined_run run;
    const struct sandbox_command command = {
        .folder = "/usr", .argv = argv, .executable_fd = -1, .cpu = -1};

    umask(0077);
    for (enum sandbox_tier tier = SANDBOX_TIER_LITE; tier <= SANDBOX_TIER_FULL; tier++) {
        struct sandbox *sandbox = confined_open(tier);

        confined_run(sandbox, &command, NULL, LIMIT_MS, &run);
        cr_expect_str_eq(run.output, "0022\n", "tier %d: %s", (int)tier, run.output);
        cr_expect_str_eq(run.errors, "", "tier %d: %s", (int)tier, run.errors);
        sandbox_destroy(sandbox);
    }
}

/* ---- whose it is, seen from outside: inside, an id that is not mapped looks like nobody's ---- */

static void read_ids(pid_t pid, const char *key, unsigned ids[static 4])
{
    char path[64], line[256];
    FILE *status;
    int count = 0;

    snprintf(path, sizeof path, "/proc/%d/status", (int)pid);
    status = fopen(path, "re");
    cr_assert_not_null(status);
    while (count != 4 && fgets(line, sizeof line, status))
        if (strncmp(line, key, strlen(key)) == 0)
            count = sscanf(line + strlen(key), " %u %u %u %u", &ids[0], &ids[1], &ids[2], &ids[3]);
    fclose(status);
    cr_assert_eq(count, 4, "%s", key);
}

Test(set_up, roots_bots_have_the_user_and_the_group_of_their_slot)
{
    static const char *const argv[] = {"cat", NULL};
    const struct sandbox_command command = {
        .folder = "/usr", .argv = argv, .executable_fd = -1, .cpu = -1};

    for (enum sandbox_tier tier = SANDBOX_TIER_LITE; tier <= SANDBOX_TIER_FULL_CG; tier++) {
        struct sandbox *sandbox = confined_open(tier);
        struct sandbox_failure failure = {0};
        struct sandbox_child child;
        unsigned users[4], groups[4];

        if (!sandbox->machine.root)
            cr_skip_test("bots keep the ids of whoever started the arena");
        cr_assert_eq(sandbox_spawn(sandbox, &command, &child, &failure), 0, "%s", failure.step);
        read_ids(child.pid, "Uid:", users);
        read_ids(child.pid, "Gid:", groups);
        for (int i = 0; i < 4; i++) {
            cr_expect_eq(users[i], child.private->slot->uid, "tier %d: %u", (int)tier, users[i]);
            cr_expect_eq(groups[i], child.private->slot->uid, "tier %d: %u", (int)tier, groups[i]);
        }
        sandbox_child_finish(&child);
        sandbox_destroy(sandbox);
    }
}

/* ---- a child that ends at once ---- */

/*
 * Many open files make exec close descriptors for some milliseconds, in the keeper too. The child
 * ends in that time; the setup pipe must be closed by then, or the arena takes the end for a set-up
 * that died.
 */
Test(set_up, is_complete_when_a_quick_child_has_ended)
{
    static const char *const argv[] = {"attempt", "call", "39", NULL};
    struct sandbox *sandbox = confined_open(SANDBOX_TIER_FULL);
    const int attempt_fd = sandbox_attempt_program();
    const struct sandbox_command command = {
        .folder = "/usr", .argv = argv, .executable_fd = attempt_fd, .cpu = -1};

    cr_assert_geq(attempt_fd, 0);
    for (int i = 0; i < OPEN_FILES && fcntl(attempt_fd, F_DUPFD_CLOEXEC, 0) >= 0; i++)
        ;
    for (int i = 0; i < QUICK_STARTS; i++) {
        struct sandbox_failure failure = {0};
        struct sandbox_child child;
        struct pollfd ended;

        cr_assert_eq(sandbox_spawn(sandbox, &command, &child, &failure), 0, "%s", failure.step);
        ended = (struct pollfd){.fd = child.pid_fd, .events = POLLIN};
        cr_assert_eq(poll(&ended, 1, ENDED_MS), 1);
        cr_assert_eq(sandbox_child_setup(&child, &failure), SANDBOX_SETUP_RUNNING, "start %d", i);
        sandbox_child_finish(&child);
    }
    sandbox_destroy(sandbox);
}
