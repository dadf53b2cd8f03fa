/* SPDX-License-Identifier: MIT */
/* The refused calls of a traced child: counted and named, whatever their number. */
#include <criterion/criterion.h>
#include <poll.h>
#include <string.h>

#include "sandbox/prepared.h"

enum {
    REFUSALS_MAX = 16,
    PATIENCE_MS = 60000,
};

/* Makes calls that the kernel does not have, and one that a bot may not make. */
static const char script[] = "import ctypes, socket\n"
                             "for number in (1023, 1024, 1025, 1000000):\n"
                             "    ctypes.CDLL(None).syscall(number)\n"
                             "for _ in range(3):\n"
                             "    try:\n"
                             "        socket.socket()\n"
                             "    except OSError:\n"
                             "        pass\n";

Test(trace, calls_of_any_number_are_counted_or_passed_over)
{
    static const char *const argv[] = {"python3", "-c", script, NULL};
    const struct sandbox_command command = {
        .folder = "/usr", .argv = argv, .executable_fd = -1, .cpu = -1, .trace = true};
    struct sandbox_refusal refusals[REFUSALS_MAX];
    struct sandbox_failure failure = {0};
    struct sandbox_verdict verdict;
    struct sandbox_child child;
    struct sandbox *sandbox;
    uint32_t socket_count = 0, last_count = 0;
    size_t count;

    cr_assert_eq(sandbox_create(&sandbox, NULL, &failure), 0, "%s", failure.step);
    if (!sandbox->machine.seccomp_notify)
        cr_skip_test("this kernel names no refused calls");
    cr_assert_eq(sandbox_spawn(sandbox, &command, &child, &failure), 0, "%s", failure.step);
    while (!sandbox_child_reap(&child, &verdict)) {
        struct pollfd waits[] = {{.fd = child.notify_fd, .events = POLLIN},
                                 {.fd = child.pid_fd, .events = POLLIN}};

        cr_assert_gt(poll(waits, 2, PATIENCE_MS), 0, "it does not end");
        if (waits[0].revents & POLLIN)
            sandbox_child_notified(&child);
    }
    cr_expect_eq(verdict.end, SANDBOX_END_EXITED, "end %d: %s", (int)verdict.end,
                 verdict.call ? verdict.call : "");
    cr_expect_eq(verdict.status, 0);
    count = sandbox_child_refused(&child, refusals, REFUSALS_MAX);
    cr_assert_leq(count, REFUSALS_MAX);
    for (size_t i = 0; i < count; i++) {
        if (refusals[i].call && strcmp(refusals[i].call, "socket") == 0)
            socket_count = refusals[i].count;
        if (refusals[i].number == CALLS_TRACED_MAX - 1)
            last_count = refusals[i].count;
        cr_expect_lt(refusals[i].number, CALLS_TRACED_MAX);
    }
    cr_expect_eq(socket_count, 3);
    cr_expect_eq(last_count, 1);
    sandbox_child_finish(&child);
    sandbox_destroy(sandbox);
}
