#include "arena/play/pace.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "arena/play/watch.h"
#include "arena/base/clock.h"

/* ---- when the loop slept and woke ---- */

enum {
    AT_ONCE_US = 10, /* a poll that took less time did not sleep */
    BUSY_US = 100, /* if the last poll was longer ago, only a count of sleeps shows whether the poll
                      slept */
};

/*
 * Returns how often this thread has slept so far. Between prepare and check the thread can sleep
 * only in the poll. A clock alone cannot tell sleep from the time that libev needs to change
 * descriptors, or in which another process has this processor.
 */
static long count_sleeps(void)
{
    struct rusage usage;

    return getrusage(RUSAGE_THREAD, &usage) == 0 ? usage.ru_nvcsw : 0;
}

/* How often the arena has gone on after somebody stopped it, for example by Ctrl-Z. */
static volatile sig_atomic_t stop_count;

static void count_stop(int number)
{
    stop_count++;
}

/*
 * Returns how long this thread has waited so far for a processor, although it was ready to run; 0
 * if the kernel does not report this.
 */
static int64_t queued_us(const struct pace *pace)
{
    char text[128]; /* content of the file, such as "51 12 3": ns on a processor, ns in the queue,
                       turns */
    ssize_t got = pace->schedstat_fd < 0 ? -1 : pread(pace->schedstat_fd, text, sizeof text - 1, 0);
    char *at;

    if (got <= 0)
        return 0;
    text[got] = '\0';
    strtoull(text, &at, 10);
    return (int64_t)(strtoull(at, NULL, 10) / 1000);
}

static void before_poll(struct ev_loop *loop, ev_prepare *prepare, int events)
{
    struct pace *pace = prepare->data;

    pace->ready_us = pace->now_fn();
    pace->stop_count = stop_count;
    pace->was_busy = pace->ready_us - pace->woke_us >= BUSY_US;
    if (pace->was_busy) {
        pace->sleep_count = count_sleeps();
        pace->queued_us = queued_us(pace);
    }
}

/*
 * Sets called_us to the moment at which an event woke the thread from the last poll. The thread may
 * have waited for a processor after that moment.
 */
static void find_wake_up(struct pace *pace)
{
    int64_t before_us = pace->queued_us, waited_us;

    pace->queued_us = queued_us(pace);
    waited_us = pace->queued_us - before_us;
    pace->called_us = pace->woke_us - (waited_us > 0 ? waited_us : 0);
    if (pace->called_us < pace->ready_us)
        pace->called_us = pace->ready_us;
}

static void after_poll(struct ev_loop *loop, ev_check *check, int events)
{
    struct pace *pace = check->data;
    int64_t now_us = pace->now_fn();
    const bool was_stopped = pace->stop_count != stop_count;

    pace->slept = !was_stopped && now_us - pace->ready_us >= AT_ONCE_US &&
                  (!pace->was_busy || count_sleeps() != pace->sleep_count);
    pace->woke_before_us = pace->woke_us;
    /* The next poll may bring what came while the arena was stopped: nobody knows when. */
    if (!was_stopped)
        pace->woke_us = now_us;
    pace->look_count = 0;
    if (pace->slept)
        find_wake_up(pace);
}

void pace_start(struct pace *pace, struct ev_loop *loop)
{
    sigaction(SIGCONT, &(struct sigaction){.sa_handler = count_stop, .sa_flags = SA_RESTART}, NULL);
    pace->now_fn = clock_now_us;
    pace->woke_us = pace->woke_before_us = pace->ready_us = pace->called_us = clock_now_us();
    pace->slept = pace->was_busy = false;
    pace->schedstat_fd = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
    pace->queued_us = queued_us(pace);
    ev_prepare_init(&pace->prepare, before_poll);
    ev_check_init(&pace->check, after_poll);
    ev_set_priority(&pace->prepare, EV_MINPRI);
    ev_set_priority(&pace->check, EV_MAXPRI);
    pace->prepare.data = pace->check.data = pace;
    ev_prepare_start(loop, &pace->prepare);
    ev_check_start(loop, &pace->check);
}

void pace_stop(struct pace *pace, struct ev_loop *loop)
{
    ev_prepare_stop(loop, &pace->prepare);
    ev_check_stop(loop, &pace->check);
    if (pace->schedstat_fd >= 0)
        close(pace->schedstat_fd);
}

int64_t pace_quiet_us(const struct pace *pace)
{
    return pace->slept ? pace->called_us : pace->woke_before_us;
}

/* ---- what a request costs a bot ---- */

void charge_begin(struct charge *charge, int64_t now_us)
{
    *charge = (struct charge){.asked_us = now_us, .looked_us = now_us};
}

void charge_look(struct charge *charge, int64_t now_us)
{
    charge->looked_us = now_us;
}

/* Returns the last moment at which the arena knows that the bot had not replied yet. */
static int64_t absent_us(const struct charge *charge, const struct pace *pace,
                         enum charge_seen seen)
{
    int64_t polled_us = seen == CHARGE_READ ? pace->woke_us : pace_quiet_us(pace);

    if (seen == CHARGE_LOOKED)
        polled_us -= WATCH_LOOK_US; /* no poll would have reported it */

    return polled_us > charge->looked_us ? polled_us : charge->looked_us;
}

void charge_wait(struct charge *charge, const struct pace *pace, int64_t now_us)
{
    int64_t waited_us = now_us - absent_us(charge, pace, CHARGE_POLLED);

    charge->waited_us += waited_us;
    charge->asked_us += waited_us;
    charge->looked_us = now_us; /* used_us will include the time up to now */
}

void charge_settle(struct charge *charge, const struct pace *pace, enum charge_seen seen,
                   int64_t now_us)
{
    int64_t until_us = absent_us(charge, pace, seen);

    charge->used_us = until_us - charge->asked_us;
    charge->delay_us = charge->waited_us + now_us - until_us;
}

void charge_settle_late(struct charge *charge, int64_t limit_us, int64_t now_us)
{
    int64_t late_us = now_us - (charge->asked_us + limit_us);

    charge->used_us = now_us - charge->asked_us;
    charge->delay_us = charge->waited_us + (late_us > 0 ? late_us : 0);
}
