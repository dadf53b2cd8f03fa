/* SPDX-License-Identifier: MIT */
#include "arena/play/subprocess.h"

#include <criterion/criterion.h>
#include <seccomp.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "arena/play/mailbox.h"

static int ended_count, ended_status;

static void ended(struct subprocess *process, int status)
{
    ended_count++;
    ended_status = status;
    ev_break(process->loop, EVBREAK_ALL);
}

/* As if processes hang in the kernel: the signals that the arena sends to their descriptors do
 * nothing. */
static void disarm(void)
{
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);

    cr_assert_eq(seccomp_rule_add(filter, SCMP_ACT_ERRNO(0), SCMP_SYS(pidfd_send_signal), 0), 0);
    cr_assert_eq(seccomp_load(filter), 0);
    seccomp_release(filter);
}

Test(subprocess, gives_up_a_process_that_does_not_end, .timeout = 120)
{
    char *const arguments[] = {(char *)"sleep", (char *)"1000", NULL};
    struct ev_loop *loop = ev_loop_new(0);
    struct subprocess process = {.ended_fn = ended};
    struct mailbox *mailbox;
    pid_t pid;

    disarm();
    cr_assert_eq(mailbox_create(&mailbox, loop, NULL), 0);
    cr_assert_eq(subprocess_start(&process, loop, mailbox, "/bin/sleep", arguments, 200, 1), 0);
    ev_run(loop, 0);
    pid = process.pid;
    cr_expect_eq(ended_count, 1);
    cr_expect_eq(ended_status, SUBPROCESS_KILLED);
    cr_expect_not_null(strstr(process.text, "hangs in the kernel"), "%s", process.text);
    subprocess_finish(&process);
    mailbox_destroy(mailbox); /* waits for it no longer than it must */
    cr_expect_eq(waitpid(pid, NULL, WNOHANG), 0);
    kill(pid, SIGKILL);
    cr_expect_eq(waitpid(pid, NULL, 0), pid);
    ev_loop_destroy(loop);
}
