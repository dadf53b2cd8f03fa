/* SPDX-License-Identifier: MIT */
/* Children of several threads: any thread may start and finish them, and only that takes long. */
#include <criterion/criterion.h>
#include <poll.h>
#include <pthread.h>
#include <sys/wait.h>

#include "sandbox/prepared.h"

enum {
    THREADS = 3,
    CHILDREN = 4, /* of each, one after the other */
    PATIENCE_MS = 60000,
    STATUS = 3,
};

static struct sandbox *sandbox;

static void open_sandbox(void)
{
    struct sandbox_failure failure = {0};

    cr_assert_eq(sandbox_create(&sandbox, NULL, &failure), 0, "%s", failure.step);
}

static void close_sandbox(void)
{
    sandbox_destroy(sandbox);
}

TestSuite(threads, .init = open_sandbox, .fini = close_sandbox, .timeout = 240);

/* Returns false, with nothing left, if the child did not start or end as it should. */
static bool run_child(struct sandbox_child *child, struct sandbox_verdict *verdict)
{
    const char *const argv[] = {"sh", "-c", "exit 3", NULL};
    const struct sandbox_command command = {
        .folder = "/usr", .argv = argv, .executable_fd = -1, .cpu = -1};
    struct sandbox_failure failure = {0};
    struct pollfd death = {.events = POLLIN};

    if (sandbox_spawn(sandbox, &command, child, &failure) < 0)
        return false;
    death.fd = child->pid_fd;
    if (poll(&death, 1, PATIENCE_MS) == 1 && sandbox_child_reap(child, verdict))
        return true;
    sandbox_child_finish(child);
    return false;
}

static void *run_children(void *argument)
{
    int *good_count = argument;

    for (int i = 0; i < CHILDREN; i++) {
        struct sandbox_child child;
        struct sandbox_verdict verdict;

        if (!run_child(&child, &verdict))
            continue;
        *good_count += verdict.end == SANDBOX_END_EXITED && verdict.status == STATUS;
        sandbox_child_finish(&child);
    }
    return NULL;
}

Test(threads, several_may_start_and_finish_children)
{
    pthread_t threads[THREADS];
    int good_counts[THREADS] = {0};

    for (int i = 0; i < THREADS; i++)
        cr_assert_eq(pthread_create(&threads[i], NULL, run_children, &good_counts[i]), 0);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        cr_expect_eq(good_counts[i], CHILDREN);
    }
    cr_expect_eq(waitpid(-1, NULL, WNOHANG | __WALL), -1, "a process was left behind");
}

/* ---- what a child of several threads waited for ---- */

/* Of one thread, 1000, that the looks see beside others that only sleep. */
static const struct {
    const char *rule;
    int others_before, others_now;
    bool was_seen;
    int64_t begun_us; /* the last look was at 1,000,000 */
    int64_t cpu_before_us, queued_before_us, cpu_us, queued_us;
    int64_t spent_us; /* by all threads between the looks */
    int64_t held_us;
} waits[] = {
    {"alone", 0, 0, true, 0, 100, 50, 400, 350, 300, 300},
    {"while another thread of the bot computed", 1, 1, true, 0, 100, 50, 400, 350, 500, 100},
    {"a thread that began since", 1, 1, false, 1000000, 0, 0, 400, 350, 400, 350},
    {"of as many as are looked at", 63, 63, true, 0, 100, 50, 400, 350, 300, 300},
    {"one that the last look left out", 64, 10, false, 0, 0, 0, 400, 3000000, 100, 0},
    {"one that the last look missed", 1, 1, false, 999999, 0, 0, 400, 3000000, 100, 0},
};

Test(wait, of_threads)
{
    for (size_t i = 0; i < sizeof waits / sizeof *waits; i++) {
        struct child_wait before = {.booted_us = 1000000, .thread_count = waits[i].others_before},
                          now = {.thread_count = waits[i].others_now};

        for (int j = 0; j < CHILD_THREADS_TIMED; j++)
            before.threads[j].id = now.threads[j].id = j + 1;
        if (waits[i].was_seen)
            before.threads[before.thread_count++] =
                (struct child_thread){1000, waits[i].cpu_before_us, waits[i].queued_before_us};
        now.threads[now.thread_count++] =
            (struct child_thread){1000, waits[i].cpu_us, waits[i].queued_us, waits[i].begun_us};
        cr_expect_eq(child_held_us(&before, &now, waits[i].spent_us), waits[i].held_us, "%s",
                     waits[i].rule);
    }
}

/* ---- a wait for a processor that has not ended ---- */

static const struct {
    const char *rule;
    int64_t cpu_us; /* at the second look, at 51000; at the first, at 1000, 100 */
    int64_t since_us;
    bool is_ready;
    int64_t waited_us;
} pending[] = {
    {"since the last look", 100, 0, true, 50000},
    {"not before it was given work", 100, 41000, true, 10000},
    {"it has run since: that wait has ended", 101, 0, true, 0},
    {"it sleeps", 100, 0, false, 0},
};

Test(wait, for_a_processor_up_to_now)
{
    for (size_t i = 0; i < sizeof pending / sizeof *pending; i++) {
        struct child_wait wait = {.sum_us = 0};

        child_wait_us(&wait, 100, 1000, 0, false);
        cr_expect_eq(child_wait_us(&wait, pending[i].cpu_us, 51000, pending[i].since_us,
                                   pending[i].is_ready),
                     pending[i].waited_us, "%s", pending[i].rule);
    }
}

/* ---- what a child waited for within the kernel ---- */

static const struct {
    const char *rule;
    int64_t cpu_us, now_us; /* at the second look; at the first 100 and 1000 */
    bool is_blocked;
    int64_t blocked_us;
} blocks[] = {
    {"a lock, since the last look", 100, 51000, true, 50000},
    {"it has computed since: nobody knows when it was blocked", 101, 51000, true, 0},
    {"it sleeps", 100, 51000, false, 0},
};

Test(wait, in_the_kernel)
{
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        struct child_wait wait = {.blocked_us = 0};

        child_block_us(&wait, 100, 1000, true);
        wait.blocked_us = 0;
        cr_expect_eq(
            child_block_us(&wait, blocks[i].cpu_us, blocks[i].now_us, blocks[i].is_blocked),
            blocks[i].blocked_us, "%s", blocks[i].rule);
        cr_expect_eq(child_block_us(&wait, blocks[i].cpu_us, 61000, true),
                     blocks[i].blocked_us + 10000, "%s, and then a lock", blocks[i].rule);
    }
}

/* A thread that is ready to run now was not while it was blocked. */
Test(wait, in_the_kernel_counts_once)
{
    struct child_wait wait = {.sum_us = 0};

    child_wait_us(&wait, 100, 1000, 0, false);
    child_block_us(&wait, 100, 1000, false);
    cr_expect_eq(child_block_us(&wait, 100, 31000, true), 30000);
    cr_expect_eq(child_wait_us(&wait, 100, 51000, 0, true), 20000);
}
