/* Looks at tables' memory in steps, by a clock that the test sets. */
#include "arena/play/runner.h"

#include <criterion/criterion.h>

#include "tests/play_faults/clock.h"

enum {
    TABLES = 5,
    LOOK_US = 100, /* each look takes so long */
    BEGUN_US = 700000000,
};

static int looked[TABLES];

static struct table *find(void *owner, int number)
{
    cr_expect_eq(owner, looked);
    looked[number]++;
    clock_us += LOOK_US;
    return NULL;
}

Test(memory_watch, rests_between_steps_and_rounds)
{
    struct ev_loop *loop = ev_loop_new(EVFLAG_AUTO);
    struct memory_watch watch;

    clock_us = BEGUN_US;
    cr_assert_eq(memory_watch_start(&watch, loop, TABLES, find, looked), 0);
    cr_expect_eq(watch.alarm.deadline_us, BEGUN_US + RUNNER_WATCH_MS * 1000);
    for (int round = 1; round <= 2; round++) {
        const int64_t begun_us = clock_us;

        watch.alarm.due_fn(&watch.alarm);
        cr_expect_eq(watch.looked_count, 3);
        cr_expect_eq(looked[2], round);
        cr_expect_eq(looked[3], round - 1);
        cr_expect_eq(watch.alarm.deadline_us, begun_us + 3 * LOOK_US + MEMORY_WATCH_US_MAX);
        clock_us += MEMORY_WATCH_US_MAX;
        watch.alarm.due_fn(&watch.alarm);
        cr_expect_eq(watch.looked_count, 0);
        cr_expect_eq(looked[0], round);
        cr_expect_eq(looked[TABLES - 1], round);
        cr_expect_eq(watch.alarm.deadline_us, begun_us + RUNNER_WATCH_MS * 1000);
        clock_us += RUNNER_WATCH_MS * 1000;
    }
    clock_us = 0;
    memory_watch_stop(&watch, loop);
    memory_watch_stop(&watch, loop);
    ev_run(loop, 0);
    ev_loop_destroy(loop);
}
