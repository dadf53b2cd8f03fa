/* SPDX-License-Identifier: MIT */
/*
 * Theory of operation.
 *
 * A bot's reply waits in a pipe until the loop reads it, and nothing tells when the bot wrote it.
 * Meanwhile the loop may have served another game, or have had no processor. So the arena looks for
 * the last moment at which it knows that the reply was not there yet, the quiet moment, and charges
 * the bot up to then: an error is always in the bot's favor, and what a bot is charged plus the
 * arena's delay is all the time that passed.
 *
 * One turn of the loop, and what pace records of it:
 *
 *     woke_us (before)      ready_us                        woke_us             now_us
 *        |---- callbacks ------|----------- poll ---------------|-- callbacks -----|
 *              busy_us                 [ sleep ][ queue ]             the reply is taken
 *
 * The poll slept: nothing was there when it began, and an event woke the thread, which may then
 *   have waited in the queue for a processor. The quiet moment is the wake-up: woke_us less that
 *   wait. What the wake-up brought besides its first event came later still.
 * The poll did not sleep: its events came while the callbacks ran. The poll before had not reported
 *   them, so the quiet moment is the end of that poll.
 * Somebody stopped the arena (SIGSTOP) during the poll: the poll looks like one that slept, but
 *   nobody knows when its events came. It counts as one that did not sleep, and the next poll as if
 *   this one had not been.
 *
 * A read that found no whole reply is a quiet moment as well (charge_look). The later one counts.
 * Replies found by a read for which no poll called (CHARGE_READ) came after the last poll. A reply
 * that epoll did not watch for (CHARGE_LOOKED, watch.h) may have come up to one look earlier.
 *
 * What the kernel promises:
 * - A thread that sleeps in a system call adds one to ru_nvcsw. Between prepare and check, libev
 *   only changes descriptors (epoll_ctl, which does not sleep) and polls. The clock alone shows no
 *   sleep: another thread may have had this processor.
 * - The second number of /proc/thread-self/schedstat is the time for which the thread was ready to
 *   run but had no processor. It grows when the thread runs again.
 * - After a stop, the handler of SIGCONT runs before the poll returns, on this thread: all other
 *   threads block signals.
 *
 * What was measured: a read of ru_nvcsw takes 0.2 us and one of schedstat 0.6 us; a round trip
 * with a bot on the same core takes 5 us. So a poll of less than AT_ONCE_US
 * counts as one that did not sleep, and schedstat is read only where it can matter: after a poll
 * that slept, and before a poll if the callbacks took BUSY_US, since the wait that is subtracted
 * must be one of this poll alone. If they took less, they cannot have waited longer than that.
 *
 * A charge begins when the arena writes a request (charge_begin) and ends with a reply or fault
 * (charge_settle) or at the deadline (charge_settle_late). In between, each time in which the bot
 * waited for the arena, with the rest of a request that did not fit into the pipe or a system call
 * that the arena answers, moves asked_us, and so the deadline, to later (charge_wait). The caller,
 * bot.c, bounds how often a bot's own system calls may do so.
 *
 * Nor is a bot charged for the time for which other programs kept it from a processor, as far as
 * the kernel tells it from waits for the bot's own threads (sandbox_child_queued_us). The arena
 * reads that time only where it matters: at a deadline, which it moves by what is left of the limit
 * (late_left_us), and after a reply that took more than its turn, from the bank of which the wait
 * is not taken (charge_excuse). That makes no game void and nothing is played twice, so a bot whose
 * author burns processors beside it wins nothing but time in which it does not run. PACE_PATIENCE
 * bounds how long a game waits for the machine.
 */
#include "arena/play/pace.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "arena/base/clock.h"
#include "arena/play/watch.h"

/* ---- when the loop slept and woke ---- */

enum {
    AT_ONCE_US = 10, /* a poll that took less time did not sleep */
    BUSY_US = 100,   /* if the callbacks took less time, the clock shows whether the poll slept */
};

/* Returns how often this thread has slept so far. */
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

/* Returns the moment at which an event woke the thread from the last poll, which slept. */
static int64_t find_wake_up(struct pace *pace)
{
    const int64_t before_us = pace->queued_us;
    int64_t called_us;

    pace->queued_us = queued_us(pace);
    called_us = pace->woke_us - (pace->queued_us > before_us ? pace->queued_us - before_us : 0);
    return called_us > pace->ready_us ? called_us : pace->ready_us;
}

static void after_poll(struct ev_loop *loop, ev_check *check, int events)
{
    struct pace *pace = check->data;
    int64_t now_us = pace->now_fn();
    const bool was_stopped = pace->stop_count != stop_count;

    pace->slept = !was_stopped && now_us - pace->ready_us >= AT_ONCE_US &&
                  (!pace->was_busy || count_sleeps() != pace->sleep_count);
    pace->quiet_us = pace->woke_us;
    if (!was_stopped) /* else the next poll, too, may bring what came while the arena was stopped */
        pace->woke_us = now_us;
    if (pace->slept)
        pace->quiet_us = find_wake_up(pace);
}

void pace_start(struct pace *pace, struct ev_loop *loop)
{
    sigaction(SIGCONT, &(struct sigaction){.sa_handler = count_stop, .sa_flags = SA_RESTART}, NULL);
    pace->now_fn = clock_now_us;
    pace->woke_us = pace->quiet_us = pace->ready_us = clock_now_us();
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
    int64_t polled_us = pace->quiet_us;

    if (seen == CHARGE_READ)
        polled_us = pace->woke_us;
    else if (seen == CHARGE_LOOKED)
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

void charge_excuse(struct charge *charge, int64_t queued_us, int64_t least_us, int64_t most_us)
{
    int64_t used_us = charge->used_us - (queued_us > 0 ? queued_us : 0);

    used_us = used_us > least_us ? used_us : least_us;
    used_us = used_us < most_us ? used_us : most_us;
    if (used_us < charge->used_us) {
        charge->delay_us += charge->used_us - used_us;
        charge->used_us = used_us;
    }
}

/* ---- whose fault a missed deadline is ---- */

/* Returns the part of its limit that the bot has had. */
static int64_t had_us(const struct late *late)
{
    return late->queued_us > 0 ? late->wall_us - late->queued_us : late->wall_us;
}

enum late_cause late_judge(const struct late *late)
{
    const int64_t whole_us = had_us(late);

    if (whole_us < late->limit_us)
        return LATE_STARVED;
    if (late->cpu_us < 0 || late->wall_us <= 0)
        return LATE_UNKNOWN;
    if (late->cpu_us >= whole_us - whole_us / 20)
        return LATE_ENDLESS;
    return 2 * late->cpu_us >= whole_us ? LATE_COMPUTED : LATE_SLEPT;
}

int64_t late_left_us(const struct late *late)
{
    const int64_t most_us = late->limit_us * PACE_PATIENCE + PACE_PATIENCE_MS * INT64_C(1000);
    int64_t left_us;

    if (late_judge(late) != LATE_STARVED || late->wall_us >= most_us)
        return 0;
    left_us = late->limit_us - had_us(late);
    return left_us > 1000 ? left_us : 1000; /* the clocks of the kernel are not exact */
}
