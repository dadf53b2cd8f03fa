/* SPDX-License-Identifier: MIT */
/* Processes: how each end is reported, and that none is left behind. */
#include "arena/play/subprocess.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <pthread.h>
#include <seccomp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "arena/play/mailbox.h"

enum {
    TEXT_BYTES_MAX = 64,
    LIMIT_S = 60,
    PIPE_BYTES = 64 << 10,
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

static int count_descriptors(void)
{
    int count = 0;

    for (int fd = 0; fd < 1024; fd++)
        count += fcntl(fd, F_GETFD) >= 0;
    return count;
}

static struct ev_loop *loop;
static struct mailbox *errands;
static struct subprocess process;
static int descriptor_count;

static int start(const char *program, const char *command, int limit_s)
{
    char *const arguments[] = {(char *)"sh", (char *)"-c", (char *)command, NULL};

    descriptor_count = count_descriptors();
    loop = ev_loop_new(EVFLAG_AUTO);
    process = (struct subprocess){.ended_fn = ended, .variable = "WORD=told", .text_bytes = 3};
    cr_assert_eq(mailbox_create(&errands, loop, NULL), 0);
    return subprocess_start(&process, loop, errands, program, arguments, TEXT_BYTES_MAX, limit_s);
}

static void expect_nothing_left(void)
{
    mailbox_destroy(errands);
    ev_run(loop, 0); /* nothing is left on it */
    ev_loop_destroy(loop);
    cr_expect_eq(count_descriptors(), descriptor_count);
    cr_expect_null(process.text);
    cr_expect_eq(process.pid, 0);
    cr_expect_eq(waitpid(-1, NULL, WNOHANG), -1, "a process was left behind");
    cr_expect_eq(errno, ECHILD);
}

/* Runs the process to its end. */
static void run(const char *program, const char *command, int limit_s)
{
    cr_assert_eq(start(program, command, limit_s), 0);
    while (told_count == 0)
        ev_run(loop, EVRUN_ONCE);
    expect_nothing_left();
}

struct gate {
    struct errand errand;
    pthread_mutex_t mutex;
};

static void wait_at(struct errand *errand)
{
    struct gate *gate = (struct gate *)errand;

    pthread_mutex_lock(&gate->mutex);
    pthread_mutex_unlock(&gate->mutex);
}

static void passed(struct errand *errand)
{
}

TestSuite(subprocess, .timeout = 120);

/* Its end may take long: the thread that started it waits for that. */
Test(subprocess, nobody_waits_on_the_loop_for_one_that_is_killed)
{
    struct gate gate = {.errand = {.run_fn = wait_at, .done_fn = passed},
                        .mutex = PTHREAD_MUTEX_INITIALIZER};
    siginfo_t end = {0};
    pid_t pid;

    cr_assert_eq(start("/bin/sh", "exec sleep 100", LIMIT_S), 0);
    while (process.pid == 0)
        ev_run(loop, EVRUN_ONCE);
    pid = process.pid;
    pthread_mutex_lock(&gate.mutex);
    mailbox_add(errands, &gate.errand);
    subprocess_finish(&process);
    subprocess_finish(&process);
    cr_expect_eq(waitid(P_PID, (id_t)pid, &end, WEXITED | WNOWAIT), 0, "the loop waited for it");
    pthread_mutex_unlock(&gate.mutex);
    expect_nothing_left();
    cr_expect_eq(told_count, 0);
}

Test(subprocess, its_status_and_what_it_printed_are_told)
{
    run("/bin/sh", "echo $WORD; exit 3", LIMIT_S);
    cr_expect_eq(told_status, 3);
    cr_expect_str_eq(text, "told\n");
}

static char lines[256];

static void take_line(struct subprocess *printing, const char *line)
{
    strcat(strcat(lines, line), "|");
}

/* As they arrive: a service prints them for as long as it runs. */
Test(subprocess, each_line_is_told_and_a_long_one_is_cut)
{
    cr_assert_eq(start("/bin/sh",
                       "echo one; printf tw; sleep 0.1; echo o; echo; printf '%070d\\n' 7; read _; "
                       "echo end",
                       LIMIT_S),
                 0);
    process.line_fn = take_line;
    while (told_count == 0)
        ev_run(loop, EVRUN_ONCE);
    expect_nothing_left();
    cr_expect_str_eq(lines, "one|two||"
                            "0000000000000000000000000000000000000000000000000000000000000000|"
                            "000007|end|");
}

Test(subprocess, what_it_prints_beyond_its_room_is_dropped)
{
    run("/bin/sh", "seq 100000; exit 3", LIMIT_S);
    cr_expect_eq(told_status, 3);
    cr_expect_eq(strlen(text), TEXT_BYTES_MAX);
    cr_expect_eq(strncmp(text, "1\n2\n3\n", 6), 0, "%s", text);
}

/* The loop has other work, and a timer that ends the process. */
Test(subprocess, of_one_that_prints_without_end_no_more_is_read_at_a_time_than_a_pipe_holds)
{
    int waiting = 0;

    cr_assert_eq(start("/bin/sh", "exec yes", LIMIT_S), 0);
    while (process.pid == 0)
        ev_run(loop, EVRUN_ONCE);
    cr_assert_geq(fcntl(process.output.io.fd, F_SETPIPE_SZ, 4 * PIPE_BYTES), 4 * PIPE_BYTES);
    while (ioctl(process.output.io.fd, FIONREAD, &waiting) == 0 && waiting < 3 * PIPE_BYTES)
        usleep(1000);
    kill(process.pid, SIGSTOP);
    ev_run(loop, EVRUN_ONCE);
    cr_expect_eq(ioctl(process.output.io.fd, FIONREAD, &waiting), 0);
    cr_expect_gt(waiting, PIPE_BYTES, "%d are left", waiting);
    subprocess_finish(&process);
    expect_nothing_left();
}

/* The arena's environment, but for the variable that it is given. */
Test(subprocess, has_its_variable_once_and_all_others)
{
    setenv("WORD", "replaced", 1);
    setenv("WOR", "shorter", 1);
    setenv("WORDS", "longer", 1);
    run("/bin/sh", "echo $WORD $WOR $WORDS $(grep -acz ^WORD= /proc/$$/environ)", LIMIT_S);
    cr_expect_str_eq(text, "told shorter longer 1\n", "%s", text);
}

Test(subprocess, one_that_cannot_be_started_is_told)
{
    run("/nonexistent/program", "", LIMIT_S);
    cr_expect_eq(told_status, SUBPROCESS_UNSTARTED);
    cr_expect_str_eq(text, "no process could be started: No such file or directory");
    cr_expect_eq(told_count, 1);
}

Test(subprocess, one_that_is_not_wanted_while_it_starts_is_not_told)
{
    cr_assert_eq(start("/bin/sh", "exec sleep 100", LIMIT_S), 0);
    subprocess_finish(&process);
    expect_nothing_left();
    cr_expect_eq(told_count, 0);
}

/* Ctrl-C on the terminal does not reach it, and a pipe without a reader ends it. */
Test(subprocess, has_a_group_of_its_own_and_no_signals_blocked_or_ignored)
{
    sigset_t usual;

    signal(SIGPIPE, SIG_IGN);
    sigemptyset(&usual);
    sigaddset(&usual, SIGTERM);
    cr_assert_eq(sigprocmask(SIG_BLOCK, &usual, NULL), 0);
    run("/bin/sh",
        "read pid name state parent group rest </proc/$$/stat; [ $group = $$ ] || exit 1;"
        "[ $(sed -n 's/^SigBlk:.//p' /proc/$$/status) = 0000000000000000 ] || exit 2;"
        "case $(sed -n 's/^SigIgn:.//p' /proc/$$/status) in *[13579bdf][0-9a-f][0-9a-f][0-9a-f]) "
        "exit 3;; esac",
        LIMIT_S);
    cr_expect_eq(told_status, 0);
}

/* Out of descriptors, say. */
Test(subprocess, one_without_a_descriptor_is_ended)
{
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);

    cr_assert_eq(seccomp_rule_add(filter, SCMP_ACT_ERRNO(EMFILE), SCMP_SYS(pidfd_open), 0), 0);
    cr_assert_eq(seccomp_load(filter), 0);
    seccomp_release(filter);
    run("/bin/sh", "exec sleep 1000", LIMIT_S);
    cr_expect_eq(told_status, SUBPROCESS_UNSTARTED);
    cr_expect_eq(process.start_error, -EMFILE);
}

Test(subprocess, one_that_takes_longer_than_it_may_is_killed)
{
    run("/bin/sh", "exec sleep 100", 1);
    cr_expect_eq(told_status, SUBPROCESS_KILLED);
}

/* The first steps of the process itself: status 0 if all succeed. */
static int settle(pid_t parent)
{
    int status;
    pid_t pid = fork();

    cr_assert_geq(pid, 0);
    if (pid == 0) {
        int signal_number = 0, before = getpriority(PRIO_PROCESS, 0);

        if (subprocess_settle(parent) != (parent == getppid()))
            _exit(1);
        prctl(PR_GET_PDEATHSIG, &signal_number);
        if (signal_number != SIGKILL)
            _exit(2);
        _exit(parent == getppid() && getpriority(PRIO_PROCESS, 0) <= before ? 3 : 0);
    }
    cr_assert_eq(waitpid(pid, &status, 0), pid);
    return status;
}

Test(subprocess, settles_behind_bots_and_dies_with_its_parent)
{
    setpriority(PRIO_PROCESS, 0, 0);
    if (getpriority(PRIO_PROCESS, 0) >= SUBPROCESS_NICE)
        cr_skip_test("the tests run at that priority themselves");
    cr_expect_eq(settle(getpid()), 0);
    cr_expect_eq(settle(getppid()), 0, "its parent is gone");
}
