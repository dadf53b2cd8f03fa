/* Children of several threads: any thread may start and finish them, and only that takes long. */
#include <criterion/criterion.h>
#include <poll.h>
#include <pthread.h>
#include <sys/wait.h>

#include "sandbox/sandbox.h"

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
