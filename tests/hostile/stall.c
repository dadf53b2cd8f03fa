/* SPDX-License-Identifier: MIT */
/*
 * The arena never waits for a child: its calls return at once, whatever the child does to its
 * memory.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "tests/hostile/stage.h"
#include "tests/sandbox/confined.h"

enum {
    MEMORY_BYTES = 96 << 20,
    PATIENCE_MS = 60000,
    TRIED_MS = 1000,
    WAITED_MS_MAX = TRIED_MS / 4,
    CALLS = 10,
};

/* Returns the time, without that in which this thread ran or waited for a processor. */
static double waited_ms(void)
{
    FILE *file = fopen("/proc/thread-self/schedstat", "r");
    long long ran_ns = 0, queued_ns = 0;
    struct timespec now;

    cr_assert(file && fscanf(file, "%lld %lld", &ran_ns, &queued_ns) == 2);
    fclose(file);
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)(now.tv_nsec - ran_ns - queued_ns) / 1e6;
}

/* Makes the arena's calls for a child without pauses. Returns the time spent waiting in them. */
static double look_after(struct sandbox_child *child)
{
    const double begun_ms = waited_ms();
    double in_calls_ms = 0;
    struct timespec before, now;

    clock_gettime(CLOCK_MONOTONIC, &before);
    do {
        double called_ms = waited_ms();

        sandbox_child_notified(child);
        sandbox_child_watch(child);
        in_calls_ms += waited_ms() - called_ms;
        usleep(1000);
        clock_gettime(CLOCK_MONOTONIC, &now);
    } while ((now.tv_sec - before.tv_sec) * 1000 + (now.tv_nsec - before.tv_nsec) / 1000000 <
             TRIED_MS);
    cr_assert_geq(waited_ms(), begun_ms);
    return in_calls_ms;
}

static void expect_no_stall(bool ordinary, enum sandbox_tier at_most, const char *attack,
                            int process_count)
{
    struct sandbox_child child;
    struct sandbox *sandbox;
    double stalled_ms;

    stage_lay(ordinary);
    sandbox = confined_open(at_most);
    child = stage_start(
        sandbox, attack,
        (struct sandbox_limits){.memory_bytes = MEMORY_BYTES, .process_count = process_count});
    for (int i = 0; i < PATIENCE_MS && !stage_speaks(&child, 1); i++)
        sandbox_child_notified(&child); /* before the first answer it does not begin */
    stalled_ms = look_after(&child);
    cr_expect_lt(stalled_ms, (double)WAITED_MS_MAX, "the arena waited %.0f ms of %d", stalled_ms,
                 TRIED_MS);
    sandbox_child_finish(&child);
    sandbox_destroy(sandbox);
    stage_remove();
}

/* Processor time of this thread. Of several calls the quickest: interrupts count as well. */
static double quickest_ms(struct sandbox_child *child)
{
    double quickest = 1e9;

    for (int i = 0; i < CALLS; i++) {
        struct timespec before, now;
        double ms;

        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &before);
        sandbox_child_watch(child);
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
        ms = (double)(now.tv_sec - before.tv_sec) * 1e3 +
             (double)(now.tv_nsec - before.tv_nsec) / 1e6;
        quickest = ms < quickest ? ms : quickest;
        usleep(20000);
    }
    return quickest;
}

/* A bot of 60 processes is looked at as fast as one of a single process. */
Test(stall, by_many_processes)
{
    struct sandbox_child child;
    struct sandbox *sandbox;
    double ms;

    stage_lay(true);
    sandbox = confined_open(SANDBOX_TIER_FULL);
    child =
        stage_start(sandbox, "burn-in-many-children", (struct sandbox_limits){.process_count = 64});
    cr_assert(stage_speaks(&child, PATIENCE_MS));
    usleep(300000); /* until most of them are there */
    sandbox_child_freeze(&child, true);
    ms = quickest_ms(&child);
    cr_expect_lt(ms, 0.5, "a look takes the arena %.2f ms", ms);
    sandbox_child_finish(&child);
    sandbox_destroy(sandbox);
    stage_remove();
}

Test(stall, by_a_question)
{
    expect_no_stall(false, SANDBOX_TIER_FULL_CG, "ask-while-map-changes", 1);
}

Test(stall, by_a_question_in_the_lite_tier)
{
    expect_no_stall(true, SANDBOX_TIER_LITE, "ask-while-map-changes", 1);
}

Test(stall, by_memory_that_processes_share)
{
    expect_no_stall(true, SANDBOX_TIER_FULL, "share-while-map-changes", 2);
}
