/* A child that runs: its set-up, its calls, its stops, its memory. */
#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <seccomp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "sandbox/calls.h"
#include "sandbox/death.h"
#include "sandbox/filter.h"
#include "tests/sandbox_child/kernel.h"

enum {
    NOTICES_MAX = 64,
    STOPPED_SLACK_US = 20000,
};

/* ---- set-up ---- */

static const struct {
    const char *rule, *step;
    int error;
    bool executed, readable;
    enum sandbox_setup state;
} set_ups[] = {
    {"under way", NULL, 0, true, false, SANDBOX_SETUP_PENDING},
    {"done", NULL, 0, true, true, SANDBOX_SETUP_RUNNING},
    {"killed before", NULL, ESRCH, false, true, SANDBOX_SETUP_FAILED},
    {"a step failed", "landlock", EPERM, false, true, SANDBOX_SETUP_FAILED},
    {"no program", "execve", ENOENT, true, true, SANDBOX_SETUP_REFUSED},
    {"no memory", "execve", ENOMEM, true, true, SANDBOX_SETUP_FAILED},
    {"no file", "execve", ENFILE, true, true, SANDBOX_SETUP_FAILED},
    {"not now", "execve", EAGAIN, true, true, SANDBOX_SETUP_FAILED},
    {"shorter than its headers say", "execve", EIO, true, true, SANDBOX_SETUP_REFUSED},
    {"a file system that went", "execve", ESTALE, true, true, SANDBOX_SETUP_FAILED},
    {"too many descriptors of its own", "execve", EMFILE, true, true, SANDBOX_SETUP_REFUSED},
};

Test(child, set_up_is_told)
{
    for (size_t i = 0; i < sizeof set_ups / sizeof *set_ups; i++) {
        struct sandbox_child child = kernel_make_child();
        struct sandbox_failure failure = {0};

        child.setup_fd = eventfd(set_ups[i].readable, EFD_CLOEXEC);
        child.private->executed = set_ups[i].executed;
        child.private->failure =
            (struct sandbox_failure){.step = set_ups[i].step, .error = set_ups[i].error};
        cr_expect_eq(sandbox_child_setup(&child, &failure), set_ups[i].state, "%s",
                     set_ups[i].rule);
        if (set_ups[i].state >= SANDBOX_SETUP_REFUSED) {
            cr_expect_str_eq(failure.step, set_ups[i].step ? set_ups[i].step : "set-up");
            cr_expect_eq(failure.error, set_ups[i].error, "%s", set_ups[i].rule);
        }
        close(child.setup_fd);
        kernel_free_child(&child);
    }
}

/* ---- calls ---- */

static const struct {
    const char *rule;
    int call;
    bool traced;
    int error;         /* of the answer, if it is not killed */
    const char *named; /* as what it is killed for, or NULL */
    unsigned flags;
} calls[] = {
    {"a forbidden one", SCMP_SYS(ptrace), false, 0, "ptrace", 0},
    {"a forbidden one of a traced bot", SCMP_SYS(ptrace), true, 0, "ptrace", 0},
    {"a refused one that was reported", SCMP_SYS(socket), false, 0, "socket", 0},
    {"a refused one of a traced bot", SCMP_SYS(socket), true, -EPERM, NULL, 0},
    {"an unknown one", 1023, false, 0, NULL, 0},
    {"an unknown one of a traced bot", 1023, true, -ENOSYS, NULL, 0},
    {"one beyond what is counted", 1024, true, -ENOSYS, NULL, 0},
    {"a negative one", -5, true, -ENOSYS, NULL, 0},
    {"a lock of one that is gone", SCMP_SYS(flock), false, -ESRCH, NULL, 0},
    {"a lock of a traced bot", SCMP_SYS(flock), true, -EPERM, NULL, 0},
};

Test(child, each_call_is_answered_or_the_end)
{
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        struct sandbox_child child = kernel_make_child();
        bool is_killed;

        child.notify_fd = eventfd(1, EFD_CLOEXEC);
        child.private->keeper_pid = 3998;
        if (calls[i].traced)
            child.private->refused_counts = calloc(CALLS_TRACED_MAX, sizeof(uint32_t));
        kernel.call = calls[i].call;
        cr_expect(sandbox_child_notified(&child), "%s", calls[i].rule);
        is_killed = child.private->kill_cause == KILL_CAUSE_FORBIDDEN;
        cr_expect_eq(is_killed, calls[i].error == 0, "%s", calls[i].rule);
        cr_expect_eq(kernel.call_count, is_killed ? 1 : NOTICES_MAX, "%s: %d", calls[i].rule,
                     kernel.call_count);
        if (is_killed) {
            cr_expect_str_eq(kernel.said, "signal 9 to 500; signal 9 to 501; ");
            cr_expect_eq(child.private->killed_us, kernel.now_us);
            if (calls[i].named)
                cr_expect_str_eq(child.private->forbidden_call, calls[i].named);
            kernel.call = SCMP_SYS(mount);
            sandbox_child_notified(&child);
            if (calls[i].named)
                cr_expect_str_eq(child.private->forbidden_call, calls[i].named, "the first counts");
        } else {
            cr_expect_eq(kernel.answer.id, 77);
            cr_expect_eq(kernel.answer.error, calls[i].error, "%s: %d", calls[i].rule,
                         kernel.answer.error);
            cr_expect_eq(kernel.answer.flags, 0);
        }
        close(child.notify_fd);
        kernel_free_child(&child);
    }
}

Test(child, refused_calls_are_listed_as_far_as_there_is_room)
{
    struct sandbox_refusal refusals[4];
    struct sandbox_child child = kernel_make_child();

    cr_expect_eq(sandbox_child_refused(&child, refusals, 4), 0, "it is not traced");
    child.private->refused_counts = calloc(CALLS_TRACED_MAX, sizeof(uint32_t));
    cr_expect_eq(sandbox_child_refused(&child, refusals, 4), 0);
    child.private->refused_counts[0] = 2;
    child.private->refused_counts[SCMP_SYS(socket)] = 7;
    child.private->refused_counts[CALLS_TRACED_MAX - 1] = 1;
    for (size_t room = 0; room <= 4; room++) {
        memset(refusals, 0xff, sizeof refusals);
        cr_expect_eq(sandbox_child_refused(&child, refusals, room), 3);
        for (size_t i = room; i < 4; i++)
            cr_expect_eq(refusals[i].number, -1, "more than there is room for");
    }
    cr_expect_eq(refusals[0].number, 0);
    cr_expect_eq(refusals[1].number, SCMP_SYS(socket));
    cr_expect_str_eq(refusals[1].call, "socket");
    cr_expect_eq(refusals[1].count, 7);
    cr_expect_eq(refusals[1].error, filter_refusal_errno(SCMP_SYS(socket)));
    cr_expect_eq(refusals[2].number, CALLS_TRACED_MAX - 1);
    cr_expect_null(refusals[2].call);
    kernel_free_child(&child);
}

/* The kernel closes it, or never gave one. */
Test(child, without_anybody_who_calls_nobody_is_heard)
{
    struct sandbox_child child = kernel_make_child();
    int fds[2];

    cr_expect_not(sandbox_child_notified(&child));
    cr_assert_eq(pipe(fds), 0);
    child.notify_fd = fds[0];
    cr_expect(sandbox_child_notified(&child));
    close(fds[1]);
    cr_expect_not(sandbox_child_notified(&child));
    cr_expect_eq(kernel.call_count, 0);
    close(fds[0]);
    kernel_free_child(&child);
}

/* ---- stops ---- */

static const struct {
    const char *rule;
    enum freeze_way way;
    const char *stop, *resume;
} ways[] = {
    {"one process", FREEZE_BY_SIGNAL, "signal 19 to 500; ", "signal 18 to 500; "},
    {"several", FREEZE_BY_GROUP, "signal 19 to -3999; ", "signal 18 to -3999; "},
};

Test(child, is_stopped_and_resumed)
{
    for (size_t i = 0; i < 2; i++) {
        struct sandbox_child child = kernel_make_child();
        struct sandbox_child_private *private = child.private;

        private->freeze_way = ways[i].way;
        kernel.cpu_us = 100;
        private->frozen_ticks = 5;
        cr_expect_eq(sandbox_child_freeze(&child, true), 0);
        cr_expect_str_eq(kernel.said, ways[i].stop, "%s", ways[i].rule);
        cr_expect(private->frozen);
        cr_expect_eq(private->frozen_us, kernel.now_us);
        cr_expect_eq(private->frozen_cpu_us, 100);
        cr_expect_eq(private->frozen_ticks, -1);
        kernel.said[0] = '\0';
        kernel.cpu_us = 100 + STOPPED_SLACK_US;
        kernel.now_us += 7;
        cr_expect_eq(sandbox_child_freeze(&child, false), 0);
        cr_expect_str_eq(kernel.said, ways[i].resume, "%s", ways[i].rule);
        cr_expect_not(private->frozen);
        cr_expect_eq(private->frozen_us, kernel.now_us);
        kernel.cpu_us += 10 * STOPPED_SLACK_US; /* while it runs it may */
        cr_expect_eq(sandbox_child_freeze(&child, true), 0);
        kernel.cpu_us += STOPPED_SLACK_US + 1;
        cr_expect_eq(sandbox_child_freeze(&child, false), -EBUSY, "it ran while it was stopped");
        cr_expect_eq(sandbox_child_freeze(&child, true), -EBUSY, "from then on");
        kernel_free_child(&child);
    }
}

Test(child, one_that_cannot_be_stopped_is_told)
{
    for (size_t i = 0; i < 2; i++) {
        struct sandbox_child child = kernel_make_child();

        child.private->freeze_way = ways[i].way;
        kernel.error = EPERM;
        cr_expect_eq(sandbox_child_freeze(&child, true), -EPERM);
        cr_expect_not(child.private->frozen);
        kernel.said[0] = '\0';
        child.private->judged = true;
        cr_expect_eq(sandbox_child_freeze(&child, true), -ESRCH);
        child.private->stop_failed = true;
        cr_expect_eq(sandbox_child_freeze(&child, true), -EBUSY);
        cr_expect_str_eq(kernel.said, "");
        kernel_free_child(&child);
    }
}

/* ---- memory ---- */

static int count_threads(void)
{
    FILE *file = fopen("/proc/self/status", "re");
    char line[256];
    int count = 0;

    while (fgets(line, sizeof line, file))
        sscanf(line, "Threads: %d", &count);
    fclose(file);
    return count;
}

/* The child is this process, whose memory and threads are known. */
Test(child, one_with_a_thread_too_many_is_killed)
{
    struct sandbox_child child = kernel_make_child();

    child.pid = getpid();
    child.private->limits.memory_bytes = (int64_t)1 << 40;
    child.private->threads_watched = true;
    child.private->limits.thread_count = count_threads();
    cr_expect_not(sandbox_child_watch(&child));
    cr_expect_gt(child.private->memory_peak_bytes, 1 << 20, "its peak is this process's");
    child.private->limits.thread_count--;
    cr_expect(sandbox_child_watch(&child), "a thread too many");
    kernel_free_child(&child);
}

Test(child, one_over_its_memory_is_killed_for_that)
{
    struct sandbox_child child = kernel_make_child();

    kernel.now_us = 5000;
    child.pid = getpid();
    child.layers = SANDBOX_LAYER_CGROUP_MEMORY;
    cr_expect_not(sandbox_child_watch(&child), "its group counts");
    child.layers = 0;
    cr_expect(sandbox_child_watch(&child));
    cr_expect_eq(child.private->kill_cause, KILL_CAUSE_MEMORY);
    cr_expect_eq(child.private->killed_us, 5000);
    cr_expect_str_eq(kernel.said, "signal 9 to 500; ");
    kernel.now_us = 6000;
    sandbox_child_kill(&child);
    cr_expect_eq(child.private->kill_cause, KILL_CAUSE_MEMORY, "the first cause stays");
    cr_expect_eq(child.private->killed_us, 5000);
    kernel_free_child(&child);
}
