/* SPDX-License-Identifier: MIT */
/* Whether a poll slept: by a clock of our own, and polls that wait or find a byte at once. */
#include "arena/play/pace.h"

#include <criterion/criterion.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

static int64_t moments_us[2]; /* of the poll's begin and end */
static int moment_count;
static bool is_stopped; /* somebody stops the arena during the poll, and lets it go on */

static int64_t next_moment_us(void)
{
    if (is_stopped && moment_count == 1)
        raise(SIGCONT);
    return moments_us[moment_count++];
}

static void nothing(struct ev_loop *loop, ev_io *watch, int events)
{
}

static void time_is_up(struct ev_loop *loop, ev_timer *timer, int events)
{
}

static const struct {
    const char *rule;
    int64_t woke_us, ready_us, now_us;
    bool waits; /* the thread sleeps in the poll */
    bool slept;
    bool is_stopped;
} rows[] = {
    {"a poll of 10 us slept", 1000, 1099, 1109, false, true},
    {"a shorter one did not", 1000, 1099, 1108, false, false},
    {"after 100 us of work the clock is not enough", 1000, 1100, 9000, false, false},
    {"but a sleep is", 1000, 1100, 9000, true, true},
    {"nor is a sleep without time", 1000, 1100, 1109, true, false},
    {"of a poll in which the arena was stopped nobody knows when it woke", 1000, 1099, 9000, true,
     false, true},
};

static void poll_once(size_t row, int ready_fd)
{
    struct ev_loop *loop = ev_loop_new(EVFLAG_AUTO);
    struct pace pace;
    ev_timer timer;
    ev_io ready;

    pace_start(&pace, loop);
    close(pace.schedstat_fd); /* what the machine adds to a sleep is no matter here */
    pace.schedstat_fd = -1;
    pace.queued_us = 0;
    pace.now_fn = next_moment_us;
    pace.woke_us = rows[row].woke_us;
    ev_timer_init(&timer, time_is_up, 0.02, 0.);
    ev_io_init(&ready, nothing, ready_fd, EV_READ);
    if (rows[row].waits)
        ev_timer_start(loop, &timer);
    else
        ev_io_start(loop, &ready);
    moments_us[0] = rows[row].ready_us;
    moments_us[1] = rows[row].now_us;
    moment_count = 0;
    is_stopped = rows[row].is_stopped;
    ev_run(loop, EVRUN_ONCE);
    is_stopped = false;
    cr_expect_eq(moment_count, 2);
    cr_expect_eq(pace.slept, rows[row].slept, "%s", rows[row].rule);
    cr_expect_eq(pace.woke_us, rows[row].is_stopped ? rows[row].woke_us : rows[row].now_us);
    cr_expect_eq(pace.quiet_us, rows[row].slept ? rows[row].now_us : rows[row].woke_us);
    pace_stop(&pace, loop);
    moment_count = 0;
    ev_run(loop, EVRUN_NOWAIT);
    cr_expect_eq(moment_count, 0, "stopped, it asks for no time");
    ev_loop_destroy(loop);
}

Test(pace, tells_a_poll_that_slept)
{
    int fds[2];

    cr_assert_eq(pipe(fds), 0);
    cr_assert_eq(write(fds[1], "", 1), 1);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        poll_once(i, fds[0]);
    close(fds[0]);
    close(fds[1]);
}

/* A wait for a processor before the poll is none after its event. */
Test(pace, forgets_how_long_it_waited_before_the_poll)
{
    const int64_t ready_us = 1100, now_us = 9000; /* after 100 us of work */
    struct ev_loop *loop = ev_loop_new(EVFLAG_AUTO);
    struct pace pace;
    ev_timer timer;

    pace_start(&pace, loop);
    close(pace.schedstat_fd);
    pace.schedstat_fd = memfd_create("schedstat", MFD_CLOEXEC);
    cr_assert_eq(pwrite(pace.schedstat_fd, "900000 3000000 7\n", 17, 0), 17);
    pace.queued_us = 0;
    pace.now_fn = next_moment_us;
    pace.woke_us = 1000;
    moments_us[0] = ready_us;
    moments_us[1] = now_us;
    ev_timer_init(&timer, time_is_up, 0.02, 0.);
    ev_timer_start(loop, &timer);
    ev_run(loop, EVRUN_ONCE);
    cr_assert(pace.slept);
    cr_expect_eq(pace.quiet_us, now_us, "%lld", (long long)pace.quiet_us);
    pace_stop(&pace, loop);
    ev_loop_destroy(loop);
}
