/* SPDX-License-Identifier: MIT */
/* Looks at processes go on beside the caller, and none is made by the caller itself. */
#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sandbox/process_scan.h"

enum {
    NOBODY = 65533,
    TRIES = 50,
    PATIENCE_MS = 10000,
};

static void *nothing(void *argument)
{
    return argument;
}

static bool has_room_for_a_thread(void)
{
    pthread_t thread;

    if (pthread_create(&thread, NULL, nothing, NULL) != 0)
        return false;
    pthread_join(thread, NULL);
    return true;
}

static int take(struct process_scan **look, int proc_fd)
{
    struct process_scan_result result = {.bytes = -1};
    int state = process_scan_take(look, proc_fd, INT64_MAX, &result);

    return state == 1 && result.bytes <= 0 ? -1 : state;
}

/* As somebody whose processes are as many as he may have: 0, or the number of what is wrong. */
static int look_without_threads(void)
{
    struct rlimit few = {.rlim_cur = 1, .rlim_max = 1000}, many = {1000, 1000};
    int proc_fd = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    struct process_scan *look = NULL;
    int state = 0;

    if ((geteuid() == 0 && setresuid(NOBODY, NOBODY, NOBODY) < 0) ||
        setrlimit(RLIMIT_NPROC, &few) < 0)
        return 1;
    if (has_room_for_a_thread())
        return 2;
    for (int i = 0; i < TRIES; i++)
        if (take(&look, proc_fd) != 0)
            return 3; /* it looked by itself */
    if (setrlimit(RLIMIT_NPROC, &many) < 0 || !has_room_for_a_thread())
        return 4;
    for (int waited_ms = 0; state == 0 && waited_ms < PATIENCE_MS; waited_ms += 10) {
        state = take(&look, proc_fd);
        poll(NULL, 0, 10);
    }
    process_scan_forget(look);
    return state == 1 ? 0 : 5;
}

Test(look, waits_where_there_is_no_room_for_a_thread)
{
    pid_t child = fork();
    int status;

    if (child == 0)
        _exit(look_without_threads());
    cr_assert_eq(waitpid(child, &status, 0), child);
    cr_expect(WIFEXITED(status) && WEXITSTATUS(status) == 0, "%d", WEXITSTATUS(status));
}

/* What follows the name in the texts of the rows; flags 4194564 include "exiting". */
#define RUNNING " R 1 1 1 0 -1 4194560 7 0 0 0 20 3 4 5 20 0 2 0 99 1000 10"
#define EXITING " Z 1 1 1 0 -1 4194564 7 0 0 0 20 3 4 5 20 0 2 0 99 1000 10"

Test(look, reads_a_stat_from_its_last_bracket)
{
    static const struct {
        const char *text;
        bool is_exiting;
    } rows[] = {
        {"12 (plain)" RUNNING, false},
        {"12 (plain)" EXITING, true},
        {"12 (a)R1 1 1 1 1 4)" RUNNING, false},
        {"12 (a) R 1 1 1 1 1 4)" RUNNING, false},
        {"12 (a) R 1 1 1 1 1 0)" EXITING, true},
        {"12 ()))(("
         ")" EXITING,
         true},
        {"12 (a\nb c)" RUNNING, false},
    };
    struct process_stat stat;

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        cr_assert(process_parse_stat(rows[i].text, &stat), "%s", rows[i].text);
        cr_expect_eq(stat.is_exiting, rows[i].is_exiting, "%s", rows[i].text);
        cr_expect_eq(stat.state, rows[i].is_exiting ? 'Z' : 'R', "%s", rows[i].text);
        cr_expect_eq(stat.ticks, 23, "%s", rows[i].text);
        cr_expect_eq(stat.reaped_ticks, 9, "%s", rows[i].text);
        cr_expect_eq(stat.begun_ticks, 99, "%s", rows[i].text);
    }
    cr_expect_not(process_parse_stat("", &stat));
    cr_expect_not(process_parse_stat("12 (cut) R 1 1", &stat));
}
