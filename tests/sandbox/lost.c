/* SPDX-License-Identifier: MIT */
/*
 * Processes that SIGKILL does not end: every wait for them has a deadline, and they are reported.
 */
#include <criterion/criterion.h>
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sandbox/death.h"
#include "sandbox/prepared.h"

enum {
    SLACK_MS = 8000, /* less than SANDBOX_DYING_MS */
    PATIENCE_MS = 30000,
};

static int lost_count;
static pid_t lost_pid;
static char lost_name[64];

static void note_lost(const char *name, pid_t pid)
{
    lost_count++;
    lost_pid = pid;
    snprintf(lost_name, sizeof lost_name, "%s", name);
}

static struct sandbox *open_sandbox(enum sandbox_tier at_most)
{
    const struct sandbox_options options = {
        .require = at_most, .at_most = at_most, .lost_fn = note_lost};
    struct sandbox_failure failure = {0};
    struct sandbox *sandbox;

    cr_assert_eq(sandbox_create(&sandbox, &options, &failure), 0, "%s", failure.step);
    return sandbox;
}

static struct sandbox_child start(struct sandbox *sandbox, const char *script, int process_count)
{
    const char *const argv[] = {"sh", "-c", script, NULL};
    const struct sandbox_command command = {.folder = "/usr",
                                            .argv = argv,
                                            .executable_fd = -1,
                                            .cpu = -1,
                                            .limits = {.process_count = process_count},
                                            .name = "tough"};
    struct sandbox_failure failure = {0};
    struct sandbox_child child;

    cr_assert_eq(sandbox_spawn(sandbox, &command, &child, &failure), 0, "%s", failure.step);
    return child;
}

static int64_t since_ms(int64_t begun_us)
{
    return (death_now_us() - begun_us) / 1000;
}

/*
 * Imitates a process that is stuck in the kernel: no signal reaches it, and its descriptor is never
 * readable.
 */
static void take_in_hand(struct sandbox_child *child)
{
    close(child->pid_fd);
    child->pid_fd = eventfd(0, EFD_CLOEXEC);
}

Test(lost, a_child_that_lives_on_is_given_up)
{
    struct sandbox *sandbox = open_sandbox(SANDBOX_TIER_LITE);
    struct sandbox_child child = start(sandbox, "exec sleep 1000", 1);
    struct sandbox_child other;
    struct slot *slot = child.private->slot;
    struct sandbox_verdict verdict;
    pid_t pid = child.pid;
    int64_t begun_us;

    take_in_hand(&child);
    begun_us = death_now_us();
    sandbox_child_kill(&child);
    while (!sandbox_child_reap(&child, &verdict))
        usleep(10000);
    cr_expect_geq(since_ms(begun_us), SANDBOX_DYING_MS);
    cr_expect_leq(since_ms(begun_us), SANDBOX_DYING_MS + SLACK_MS);
    cr_expect_eq(verdict.end, SANDBOX_END_KILLED);
    cr_expect_eq(lost_count, 1);
    cr_expect_eq(lost_pid, pid);
    cr_expect_str_eq(lost_name, "tough");

    /* Finished at once; its slot is not reused while it lives. */
    begun_us = death_now_us();
    sandbox_child_finish(&child);
    cr_expect_leq(since_ms(begun_us), SLACK_MS);
    other = start(sandbox, "true", 1);
    cr_expect_neq(other.private->slot, slot);
    sandbox_child_finish(&other);

    kill(pid, SIGKILL);
    cr_assert_eq(waitid(P_PID, (id_t)pid, &(siginfo_t){0}, WEXITED | WNOWAIT), 0);
    other = start(sandbox, "true", 1);
    cr_expect_eq(other.private->slot, slot, "it has ended, and its slot stays taken");
    sandbox_child_finish(&other);
    sandbox_destroy(sandbox);
    cr_expect_eq(lost_count, 1, "it was told %d times", lost_count);
    cr_expect_eq(waitpid(-1, NULL, WNOHANG | __WALL), -1, "a child is left");
}

Test(lost, finish_and_destroy_wait_no_longer_either)
{
    struct sandbox *sandbox = open_sandbox(SANDBOX_TIER_LITE);
    struct sandbox_child child = start(sandbox, "exec sleep 1000", 1);
    pid_t pid = child.pid;
    int64_t begun_us = death_now_us();

    take_in_hand(&child);
    sandbox_child_finish(&child);
    sandbox_destroy(sandbox);
    cr_expect_geq(since_ms(begun_us), SANDBOX_DYING_MS);
    cr_expect_leq(since_ms(begun_us), SANDBOX_DYING_MS + SLACK_MS);
    cr_expect_eq(lost_count, 1);
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
}

/* Returns the parent of a process, 0 if there is no such process. */
static pid_t parent_of(const char *number)
{
    char path[300];
    FILE *file;
    int parent = 0;

    snprintf(path, sizeof path, "/proc/%s/stat", number);
    file = fopen(path, "r");
    if (!file)
        return 0;
    if (fscanf(file, "%*d (%*[^)]) %*c %d", &parent) != 1)
        parent = 0;
    fclose(file);
    return parent;
}

/* Returns the only process that another one started. */
static pid_t find_child_of(pid_t parent)
{
    DIR *folder = opendir("/proc");
    const struct dirent *entry;
    pid_t found = 0;

    cr_assert_not_null(folder);
    while (!found && (entry = readdir(folder)))
        if (*entry->d_name >= '1' && *entry->d_name <= '9' && parent_of(entry->d_name) == parent)
            found = atoi(entry->d_name);
    closedir(folder);
    cr_assert_neq(found, 0);
    return found;
}

/* A dead process held by its tracer keeps its namespace, and so the keeper, alive. */
Test(lost, a_keeper_that_lives_on_holds_up_nobody)
{
    struct sandbox *sandbox = open_sandbox(SANDBOX_TIER_FULL);
    struct sandbox_child child = start(sandbox, "sleep 1000 & echo; wait", 4);
    struct sandbox_child other;
    struct slot *slot = child.private->slot;
    pid_t keeper_pid = child.private->keeper_pid;
    struct sandbox_verdict verdict;
    int64_t begun_us;
    pid_t traced;

    cr_assert(death_poll(child.stdout_fd, death_now_us() + 10000000));
    traced = find_child_of(child.pid);
    cr_assert_eq(ptrace(PTRACE_SEIZE, traced, NULL, NULL), 0);
    begun_us = death_now_us();
    sandbox_child_kill(&child);
    while (!sandbox_child_reap(&child, &verdict))
        usleep(1000);
    sandbox_child_finish(&child);
    cr_expect_leq(since_ms(begun_us), SLACK_MS);
    cr_expect_eq(kill(keeper_pid, 0), 0, "the test tests nothing: the keeper is gone");
    cr_expect_eq(slot->state, SLOT_LEFT);
    cr_expect_leq(slot->left_until_us, death_now_us() + (int64_t)SANDBOX_DYING_MS * 1000);
    other = start(sandbox, "true", 1);
    cr_expect_neq(other.private->slot, slot);
    sandbox_child_finish(&other);

    cr_assert_eq(waitpid(traced, NULL, __WALL), traced);
    cr_assert_eq(waitid(P_PID, (id_t)keeper_pid, &(siginfo_t){0}, WEXITED | WNOWAIT), 0);
    other = start(sandbox, "true", 1);
    cr_expect_eq(other.private->slot, slot);
    sandbox_child_finish(&other);
    sandbox_destroy(sandbox);
    cr_expect_eq(lost_count, 0, "it ended in time, and is told lost");
}

/* Those that a bot started end with it, before anybody takes its end. */
Test(lost, a_kill_reaches_all_that_a_bot_started)
{
    struct sandbox *sandbox = open_sandbox(SANDBOX_TIER_FULL);
    struct sandbox_child child = start(sandbox, "sleep 1000 & echo; wait", 4);
    int64_t begun_us;
    pid_t started;

    cr_assert(death_poll(child.stdout_fd, death_now_us() + 10000000));
    started = find_child_of(child.pid);
    begun_us = death_now_us();
    sandbox_child_kill(&child);
    while (kill(started, 0) == 0 && since_ms(begun_us) < PATIENCE_MS)
        usleep(10000);
    cr_expect_neq(kill(started, 0), 0, "it lives on");
    sandbox_child_finish(&child);
    sandbox_destroy(sandbox);
}
