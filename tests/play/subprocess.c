/* Processes that are started beside the loop: how each ends is told, and none is left behind. */
#include "arena/play/subprocess.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <sys/wait.h>

#include "arena/play/errands.h"

enum {
    TEXT_BYTES_MAX = 64,
    LIMIT_S = 60,
};

static int told_status, told_count;
static char text[TEXT_BYTES_MAX + 1];

static void ended(struct subprocess *process, int status)
{
    told_status = status;
    told_count++;
    snprintf(text, sizeof text, "%.*s", (int)process->text_bytes, process->text);
    subprocess_finish(process);
}

/* Runs the loop until the process has ended or, if cut, ends it before it was started. */
static void run(const char *program, const char *command, bool cut)
{
    char *const arguments[] = {(char *)"sh", (char *)"-c", (char *)command, NULL};
    struct ev_loop *loop = ev_loop_new(EVFLAG_AUTO);
    struct errands *errands = errands_create(loop, NULL, NULL);
    struct subprocess process = {.ended_fn = ended, .variable = "WORD=told"};

    cr_assert_eq(subprocess_start_aside(&process, loop, errands, program, arguments, TEXT_BYTES_MAX,
                                        LIMIT_S),
                 0);
    if (cut)
        subprocess_finish(&process);
    while (!cut && told_count == 0)
        ev_run(loop, EVRUN_ONCE);
    errands_destroy(errands);
    ev_run(loop, 0); /* nothing is left on it */
    ev_loop_destroy(loop);
    cr_expect_null(process.text);
    cr_expect_eq(waitpid(-1, NULL, WNOHANG), -1, "a process was left behind");
    cr_expect_eq(errno, ECHILD);
}

TestSuite(subprocess, .timeout = 120);

Test(subprocess, its_status_and_what_it_printed_are_told)
{
    run("/bin/sh", "echo $WORD; exit 3", false);
    cr_expect_eq(told_status, 3);
    cr_expect_str_eq(text, "told\n");
}

Test(subprocess, one_that_cannot_be_started_is_told)
{
    run("/nonexistent/program", "", false);
    cr_expect_eq(told_status, SUBPROCESS_UNSTARTED);
    cr_expect_eq(told_count, 1);
}

Test(subprocess, one_that_is_not_wanted_while_it_starts_is_not_told)
{
    run("/bin/sh", "sleep 100", true);
    cr_expect_eq(told_count, 0);
}
