/* When the timer of an alarm fires: at the earliest of its deadlines, and at no other time. */
#include "arena/play/alarm.h"

#include <criterion/criterion.h>
#include <sys/timerfd.h>
#include <time.h>

enum {
    S = 1000000,
};

static struct ev_loop *loop;
static struct alarm wake_up;
static int due_count;

static void due(struct alarm *alarm)
{
    due_count++;
}

static void begin(void)
{
    loop = ev_loop_new(EVFLAG_AUTO);
    cr_assert_eq(alarm_open(&wake_up, loop, due, &due_count), 0);
}

static void end(void)
{
    alarm_close(&wake_up, loop);
    alarm_close(&wake_up, loop);
    ev_loop_destroy(loop);
}

TestSuite(alarm, .init = begin, .fini = end, .timeout = 60);

Test(alarm, has_the_time_of_the_monotonic_clock)
{
    struct timespec before, after;
    int64_t now_us;

    clock_gettime(CLOCK_MONOTONIC, &before);
    now_us = alarm_now_us();
    clock_gettime(CLOCK_MONOTONIC, &after);
    cr_expect_geq(now_us / S, before.tv_sec);
    cr_expect_leq(now_us / S, after.tv_sec);
    if (before.tv_sec == after.tv_sec) {
        cr_expect_geq(now_us % S, before.tv_nsec / 1000);
        cr_expect_leq(now_us % S, after.tv_nsec / 1000);
    }
}

/* Returns when the kernel will wake the loop, rounded down to 100 s; 0: never. */
static int64_t wakes_us(void)
{
    struct itimerspec left;

    cr_assert_eq(timerfd_gettime(wake_up.watch.fd, &left), 0);
    return left.it_value.tv_sec / 100 * 100 * S;
}

Test(alarm, wakes_the_loop_at_the_earliest_of_its_deadlines)
{
    const int64_t now_us = alarm_now_us();
    static const struct {
        const char *rule;
        int64_t deadline_us, wakes_us;
    } rows[] = {
        {"a first one", 5050 * INT64_C(1000000), 5000 * INT64_C(1000000)},
        {"a later one costs no call", 7050 * INT64_C(1000000), 5000 * INT64_C(1000000)},
        {"an earlier one", 3050 * INT64_C(1000000), 3000 * INT64_C(1000000)},
    };

    cr_expect_eq(wakes_us(), 0);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        alarm_set(&wake_up, now_us + rows[i].deadline_us);
        cr_expect_eq(wakes_us(), rows[i].wakes_us, "%s: %lld", rows[i].rule, (long long)wakes_us());
        alarm_ring(&wake_up, now_us + rows[i].deadline_us - 1);
        cr_expect_eq(due_count, 0, "%s", rows[i].rule);
    }
    alarm_ring(&wake_up, wake_up.deadline_us);
    cr_expect_eq(due_count, 1);
    alarm_ring(&wake_up, now_us + 9999 * INT64_C(1000000));
    cr_expect_eq(due_count, 1, "it is due once");
}

Test(alarm, of_the_past_is_due_at_once)
{
    static const int64_t deadlines_us[] = {1, -1, INT64_MIN};

    for (size_t i = 0; i < sizeof deadlines_us / sizeof *deadlines_us; i++) {
        due_count = 0;
        alarm_set(&wake_up, deadlines_us[i]);
        while (due_count == 0)
            ev_run(loop, EVRUN_ONCE);
        ev_run(loop, EVRUN_NOWAIT);
        cr_expect_eq(due_count, 1);
        cr_expect_eq(wake_up.deadline_us, 0);
        cr_expect_eq(wake_up.armed_us, 0);
    }
}

/* The timer fires at the first deadline, for nothing, and is set again. */
Test(alarm, moved_to_later_is_due_later)
{
    const int64_t later_us = alarm_now_us() + 5050 * INT64_C(1000000);

    alarm_set(&wake_up, 1);
    alarm_set(&wake_up, later_us);
    while (wake_up.armed_us != later_us)
        ev_run(loop, EVRUN_ONCE);
    cr_expect_eq(wakes_us(), 5000 * INT64_C(1000000));
    cr_expect_eq(due_count, 0);
    alarm_clear(&wake_up);
    alarm_ring(&wake_up, later_us);
    cr_expect_eq(due_count, 0, "it was cleared");
}
