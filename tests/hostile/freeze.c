/* SPDX-License-Identifier: MIT */
/*
 * Bots that try to run while they are stopped: each prints a byte per millisecond of processor
 * time.
 */
#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "sandbox/prepared.h"
#include "sandbox/process_scan.h"
#include "tests/hostile/stage.h"
#include "tests/sandbox/confined.h"

enum {
    CYCLES = 4,
    SETTLE_MS = 60,      /* from the stop to the silence: another core has to hear of it */
    SILENT_MS = 150,     /* a bot that wakes itself does so more often */
    PATIENCE_MS = 60000, /* on a machine that is busy */
    RAN_ON_MS_MAX = 40,
    LOOK_MS = 50,
    LOOKS = 20,
};

static const struct {
    const char *attack;
    int process_count;
} rows[] = {
    {"tick", 1},
    {"tick-in-threads", 1},
    {"tick-without-the-first", 1},
    {"tick-by-timer", 1},
    {"tick-by-alarm", 1},
    {"tick-without-the-first", 2},
    {"tick", 2},
    {"tick-by-timer", 2},
    {"tick-in-children", 8},
    {"tick-woken-by-each-other", 8},
    {"tick-woken-by-ends", 8},
    {"tick-woken-as-orphans", 8},
};

enum {
    ROWS = sizeof rows / sizeof *rows
};

static void drain(const struct sandbox_child *child)
{
    char bytes[4096];

    while (read(child->stdout_fd, bytes, sizeof bytes) > 0)
        ;
}

/* On a busy machine stopping several processes takes time, but it must succeed. */
static bool falls_silent(const struct sandbox_child *child)
{
    for (int waited_ms = 0; waited_ms < PATIENCE_MS / 4; waited_ms += SILENT_MS) {
        drain(child);
        if (!stage_speaks(child, SILENT_MS))
            return true;
        usleep(SILENT_MS * 1000);
    }
    return false;
}

static int start(struct sandbox *sandbox, struct sandbox_child children[static ROWS])
{
    int count = 0;

    for (; count < ROWS; count++) {
        if (rows[count].process_count > 1 && sandbox_tier(sandbox) < SANDBOX_TIER_FULL)
            break; /* several processes are refused there */
        children[count] =
            stage_start(sandbox, rows[count].attack,
                        (struct sandbox_limits){.process_count = rows[count].process_count});
    }
    return count;
}

static void freeze(bool ordinary, enum sandbox_tier at_most)
{
    struct sandbox_child children[ROWS];
    struct sandbox *sandbox;
    int count;

    stage_lay(ordinary);
    sandbox = confined_open(at_most);
    count = start(sandbox, children);
    for (int cycle = 0; cycle < CYCLES; cycle++) {
        for (int i = 0; i < count; i++)
            cr_assert(stage_speaks(&children[i], PATIENCE_MS), "%s does not run, cycle %d",
                      rows[i].attack, cycle);
        usleep(20000);
        for (int i = 0; i < count; i++)
            cr_expect_eq(sandbox_child_freeze(&children[i], true), 0, "%s", rows[i].attack);
        for (int i = 0; i < count; i++)
            cr_expect(falls_silent(&children[i]), "%s, %d processes: runs while it is stopped",
                      rows[i].attack, rows[i].process_count);
        for (int i = 0; i < count && cycle < CYCLES - 1; i++)
            cr_expect_eq(sandbox_child_freeze(&children[i], false), 0, "%s", rows[i].attack);
    }
    for (int i = 0; i < count; i++) /* what is stopped can be killed */
        sandbox_child_finish(&children[i]);
    count = stage_await_none(PATIENCE_MS);
    cr_expect_eq(count, 0, "%d processes are left", count);
    sandbox_destroy(sandbox);
    stage_remove();
}

/* Another process wakes a bot, which runs on. */
static void wake(struct sandbox *sandbox, const char *attack, int process_count)
{
    struct sandbox_child child =
        stage_start(sandbox, attack, (struct sandbox_limits){.process_count = process_count});

    cr_assert(stage_speaks(&child, PATIENCE_MS));
    cr_expect_eq(sandbox_child_freeze(&child, true), 0);
    usleep(SETTLE_MS * 1000);
    cr_expect_eq(sandbox_child_freeze(&child, false), 0, "it held");
    cr_expect_eq(sandbox_child_freeze(&child, true), 0);
    kill(-getpgid(child.pid), SIGCONT);
    for (int i = 0; i < PATIENCE_MS && !child.private->stop.has_failed; i++) {
        sandbox_child_watch(&child);
        usleep(1000);
    }
    cr_expect_eq(sandbox_child_freeze(&child, false), -EBUSY, "%s", attack);
    sandbox_child_finish(&child);
}

static char state_of(pid_t pid)
{
    struct process_stat stat;
    char path[64];

    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    return process_read_stat(AT_FDCWD, path, &stat) ? stat.state : '\0';
}

static void await_stop(pid_t pid)
{
    char state = 0;

    for (int i = 0; i < PATIENCE_MS && state != 'T'; i++) {
        state = state_of(pid);
        usleep(1000);
    }
    cr_assert_eq(state, 'T');
}

/* Another process wakes a bot, which stops again before the arena looks. */
static void wake_shortly(struct sandbox *sandbox)
{
    struct sandbox_child child = stage_start(sandbox, "tick", (struct sandbox_limits){0});

    cr_assert(stage_speaks(&child, PATIENCE_MS));
    cr_expect_eq(sandbox_child_freeze(&child, true), 0);
    await_stop(child.pid);
    sandbox_child_watch(&child);
    kill(child.pid, SIGCONT);
    kill(child.pid, SIGSTOP);
    await_stop(child.pid);
    cr_expect_eq(sandbox_child_freeze(&child, false), -EBUSY);
    sandbox_child_finish(&child);
}

Test(freeze, a_stop_that_does_not_hold_is_told, .timeout = 240)
{
    struct sandbox *sandbox;

    stage_lay(false);
    sandbox = confined_open(SANDBOX_TIER_FULL);
    wake(sandbox, "tick", 1);
    wake_shortly(sandbox);
    if (sandbox_tier(sandbox) >= SANDBOX_TIER_FULL)
        wake(sandbox, "burn-in-many-children", 64); /* the first process sleeps */
    sandbox_destroy(sandbox);
    stage_remove();
}

/* A stop costs the arena nothing but the stop: at each turn of a bot it would be paid for. */
Test(freeze, a_stop_wakes_neither_the_keeper_nor_the_arena)
{
    struct sandbox_child child;
    struct sandbox *sandbox;
    sigset_t signals;

    stage_lay(false);
    sandbox = confined_open(SANDBOX_TIER_FULL);
    child = stage_start(sandbox, "tick", (struct sandbox_limits){0});
    cr_assert(stage_speaks(&child, PATIENCE_MS));
    sigemptyset(&signals); /* as in the thread that starts bots */
    sigaddset(&signals, SIGCHLD);
    sigprocmask(SIG_BLOCK, &signals, NULL);
    cr_expect_eq(sandbox_child_freeze(&child, true), 0);
    await_stop(child.pid);
    usleep(SETTLE_MS * 1000);
    cr_expect_neq(state_of(child.private->keeper_pid), 'T', "the keeper is stopped");
    cr_expect_eq(sandbox_child_freeze(&child, false), 0);
    cr_assert(stage_speaks(&child, PATIENCE_MS));
    sigpending(&signals);
    cr_expect_not(sigismember(&signals, SIGCHLD), "the kernel sent a signal");
    sandbox_child_finish(&child);
    sandbox_destroy(sandbox);
    stage_remove();
}

/* Waits until a process has used that much more processor time: a busy machine gives it little. */
static void await_work(pid_t pid, int64_t more_ms)
{
    struct timespec used, begun;
    clockid_t clock;

    cr_assert_eq(clock_getcpuclockid(pid, &clock), 0);
    clock_gettime(clock, &begun);
    for (int waited_ms = 0; waited_ms < PATIENCE_MS; waited_ms++) {
        usleep(1000);
        clock_gettime(clock, &used);
        if ((used.tv_sec - begun.tv_sec) * 1000 + (used.tv_nsec - begun.tv_nsec) / 1000000 >=
            more_ms)
            return;
    }
}

/*
 * A system call goes on in the kernel after the stop, and a bot can begin a hundred of them. Some
 * kernels count its 2 GiB, which are all the page of zeros, as its memory.
 */
Test(freeze, work_in_the_kernel_after_the_stop_is_told, .timeout = 150)
{
    struct sandbox_child child;
    struct sandbox *sandbox;
    int result = 0;

    stage_lay(false);
    sandbox = confined_open(SANDBOX_TIER_FULL);
    child = stage_start(sandbox, "burn-in-the-kernel",
                        (struct sandbox_limits){.memory_bytes = INT64_C(3) << 30});
    cr_assert(stage_speaks(&child, PATIENCE_MS));
    await_work(child.pid, LOOK_MS);
    for (int i = 0; result == 0 && i < PATIENCE_MS / LOOK_MS / LOOKS; i++) {
        cr_expect_eq(sandbox_child_freeze(&child, true), 0);
        for (int look = 0; look < LOOKS; look++) {
            usleep(LOOK_MS * 1000);
            sandbox_child_watch(&child);
        }
        result = sandbox_child_freeze(&child, false);
        if (result == 0)
            await_work(child.pid, LOOK_MS);
    }
    cr_expect_eq(result, -EBUSY);
    sandbox_child_finish(&child);
    sandbox_destroy(sandbox);
    stage_remove();
}

/* They compete with whoever is to stop them; whoever thinks then would have to as well. */
static void stop_many(bool ordinary)
{
    struct sandbox_child child;
    struct sandbox *sandbox;
    double ran_on_ms = 0;

    stage_lay(ordinary);
    sandbox = confined_open(SANDBOX_TIER_FULL);
    child =
        stage_start(sandbox, "burn-in-many-children", (struct sandbox_limits){.process_count = 64});
    cr_assert(stage_speaks(&child, PATIENCE_MS));
    usleep(SILENT_MS * 1000);
    for (int cycle = 0; cycle < CYCLES; cycle++) {
        double before_ms;

        cr_expect_eq(sandbox_child_freeze(&child, true), 0);
        before_ms = stage_ran_ms();
        usleep(2 * SILENT_MS * 1000);
        ran_on_ms += stage_ran_ms() - before_ms;
        cr_expect_eq(sandbox_child_freeze(&child, false), 0);
        usleep(SETTLE_MS * 1000);
    }
    cr_expect_lt(ran_on_ms, (double)RAN_ON_MS_MAX, "%.0f ms after %d stops", ran_on_ms, CYCLES);
    sandbox_child_finish(&child);
    sandbox_destroy(sandbox);
    stage_remove();
}

Test(freeze, many_processes_stop_at_once)
{
    stop_many(false);
}

Test(freeze, many_processes_of_an_ordinary_user_stop_at_once)
{
    stop_many(true);
}

Test(freeze, nothing_wakes_a_stopped_bot)
{
    freeze(false, SANDBOX_TIER_FULL_CG);
}

Test(freeze, nothing_wakes_one_without_control_groups)
{
    freeze(false, SANDBOX_TIER_FULL);
}

Test(freeze, nothing_wakes_an_ordinary_users)
{
    freeze(true, SANDBOX_TIER_FULL_CG);
}

Test(freeze, nothing_wakes_one_in_the_lite_tier)
{
    freeze(false, SANDBOX_TIER_LITE);
}

Test(freeze, nothing_wakes_an_ordinary_users_in_the_lite_tier)
{
    freeze(true, SANDBOX_TIER_LITE);
}
