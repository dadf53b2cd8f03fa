#include "arena/play/runner.h"

#include <assert.h>
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "arena/play/stop.h"

enum runner_state {
    RUNNER_RUNNING = 0,
    RUNNER_DRAINING = 1, /* games under way are played to their end */
    RUNNER_STOPPING = 2, /* games under way are ended without a result */
};

/* A place for one game at a time. */
struct slot {
    struct table *table;
    struct runner_game game;
    int attempt_count; /* of this game, void ones */
};

struct runner {
    enum runner_state state;
    bool was_stopped;
    struct runner_options options;
    struct sandbox *sandbox;
    struct ev_loop *loop;
    struct pace pace;
    ev_signal interrupt, terminate;
    sigset_t signals_before;  /* held back, when it does not run */
    struct alarm watch, tick; /* not ev_timers: with none, a wait sets no timer in the kernel */
    bool failed;
    struct sandbox_failure failure;
    struct slot slots[];
};

static void table_done(struct table *table);

static int slot_number(const struct runner *runner, const struct slot *slot)
{
    return (int)(slot - runner->slots);
}

static bool is_busy(const struct runner *runner)
{
    for (int i = 0; i < runner->options.job_count; i++)
        if (runner->slots[i].table && runner->slots[i].table->state != TABLE_FREE)
            return true;
    return false;
}

/* The core that a slot keeps: those that this process may use, in turn. */
static int core_of(int slot)
{
    cpu_set_t cores;
    int wanted;

    if (sched_getaffinity(0, sizeof cores, &cores) < 0)
        return -1;
    wanted = slot % CPU_COUNT(&cores);
    for (int core = 0; core < CPU_SETSIZE; core++)
        if (CPU_ISSET(core, &cores) && wanted-- == 0)
            return core;
    return -1;
}

static void play(struct slot *slot)
{
    table_play(slot->table, &slot->game.terms, slot->game.sources, slot->game.last);
}

/* Begins the next game of a free slot, if there is one. */
static void begin(struct runner *runner, struct slot *slot)
{
    if (runner->state != RUNNER_RUNNING ||
        !runner->options.next_fn(runner->options.owner, slot_number(runner, slot), &slot->game))
        return;
    if (!slot->table) {
        slot->table =
            table_create(runner->loop, &runner->pace, runner->sandbox, &runner->options.rules);
        if (!slot->table) {
            runner->failed = true;
            runner->failure =
                (struct sandbox_failure){.step = "memory for a table", .error = ENOMEM};
            runner_drain(runner);
            return;
        }
        slot->table->owner = slot;
        slot->table->done_fn = table_done;
        if (runner->options.pin)
            slot->table->cpu = core_of(slot_number(runner, slot));
    }
    slot->attempt_count = 0;
    play(slot);
}

static void stop_all(struct runner *runner)
{
    runner->state = RUNNER_STOPPING;
    for (int i = 0; i < runner->options.job_count; i++)
        if (runner->slots[i].table)
            table_stop(runner->slots[i].table);
}

/* A game that the arena failed is played again; one too often ends the run. */
static void settle_void(struct runner *runner, struct slot *slot)
{
    struct sandbox_failure failure = slot->table->failure;

    table_clear(slot->table);
    if (runner->state == RUNNER_STOPPING)
        return;
    if (++slot->attempt_count < RUNNER_ATTEMPTS) {
        play(slot);
        return;
    }
    runner->failed = true;
    runner->failure = failure;
    stop_all(runner);
}

static struct runner *runner_of(struct slot *slot)
{
    return ev_userdata(slot->table->loop);
}

static void table_done(struct table *table)
{
    struct slot *slot = table->owner;
    struct runner *runner = runner_of(slot);

    if (table->state == TABLE_VOID) {
        settle_void(runner, slot);
    } else {
        runner->options.done_fn(runner->options.owner, &slot->game, table);
        table_clear(table);
        begin(runner, slot);
    }
    if (!is_busy(runner))
        ev_break(runner->loop, EVBREAK_ALL);
}

void runner_wake(struct runner *runner)
{
    for (int i = 0; i < runner->options.job_count; i++)
        if (!runner->slots[i].table || runner->slots[i].table->state == TABLE_FREE)
            begin(runner, &runner->slots[i]);
}

void runner_drain(struct runner *runner)
{
    if (runner->state == RUNNER_RUNNING)
        runner->state = RUNNER_DRAINING;
}

static void signalled(struct ev_loop *loop, ev_signal *watch, int events)
{
    struct runner *runner = watch->data;

    runner->was_stopped = true;
    if (runner->state == RUNNER_RUNNING)
        runner->state = RUNNER_DRAINING;
    else
        stop_all(runner);
}

static void look_at_memory(struct alarm *alarm)
{
    struct runner *runner = alarm->owner;

    for (int i = 0; i < runner->options.job_count; i++)
        if (runner->slots[i].table)
            table_watch(runner->slots[i].table);
    alarm_set(alarm, alarm_now_us() + (int64_t)RUNNER_WATCH_MS * 1000);
}

static void tick(struct alarm *alarm)
{
    struct runner *runner = alarm->owner;

    runner->options.tick_fn(runner->options.owner);
    alarm_set(alarm, alarm_now_us() + (int64_t)RUNNER_TICK_MS * 1000);
}

/* Each game holds some seven descriptors a bot; the usual soft limit is 1024. */
static void raise_file_limit(void)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < limit.rlim_max) {
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
}

struct runner *runner_create(const struct runner_options *options, struct sandbox *sandbox)
{
    struct runner *runner;

    assert(options->job_count >= 1 && options->job_count <= RUNNER_JOBS_MAX);
    raise_file_limit();
    runner = calloc(1, sizeof *runner + (size_t)options->job_count * sizeof *runner->slots);
    if (!runner)
        return NULL;
    runner->options = *options;
    runner->sandbox = sandbox;
    /* Not the default loop: that one reaps every child of the process. */
    runner->loop = ev_loop_new(EVFLAG_AUTO);
    if (!runner->loop) {
        free(runner);
        errno = ENOMEM;
        return NULL;
    }
    ev_set_userdata(runner->loop, runner);
    pace_start(&runner->pace, runner->loop);
    ev_signal_init(&runner->interrupt, signalled, SIGINT);
    ev_signal_init(&runner->terminate, signalled, SIGTERM);
    runner->interrupt.data = runner->terminate.data = runner;
    return runner;
}

/* Starts what runs beside the games. Returns 0 or -errno. */
static int start_watches(struct runner *runner)
{
    int64_t now_us = alarm_now_us();
    int error = 0;

    ev_signal_start(runner->loop, &runner->interrupt);
    ev_signal_start(runner->loop, &runner->terminate);
    stop_hand_over(&runner->signals_before);
    if (runner->options.tick_fn) {
        error = alarm_open(&runner->tick, runner->loop, tick, runner);
        if (error == 0)
            alarm_set(&runner->tick, now_us + (int64_t)RUNNER_TICK_MS * 1000);
    }
    if (error == 0 && sandbox_tier(runner->sandbox) != SANDBOX_TIER_FULL_CG) {
        error = alarm_open(&runner->watch, runner->loop, look_at_memory, runner);
        if (error == 0)
            alarm_set(&runner->watch, now_us + (int64_t)RUNNER_WATCH_MS * 1000);
    }
    return error;
}

static void stop_watches(struct runner *runner)
{
    alarm_close(&runner->watch, runner->loop);
    alarm_close(&runner->tick, runner->loop);
    stop_take_back(&runner->signals_before);
    ev_signal_stop(runner->loop, &runner->terminate);
    ev_signal_stop(runner->loop, &runner->interrupt);
}

int runner_run(struct runner *runner, struct sandbox_failure *failure)
{
    int error;

    if (stop_is_asked()) {
        runner->was_stopped = true;
        return 0;
    }
    error = start_watches(runner);
    if (error < 0) {
        runner->failed = true;
        runner->failure = (struct sandbox_failure){.step = "timerfd_create", .error = -error};
    } else {
        runner_wake(runner);
    }
    if (is_busy(runner))
        ev_run(runner->loop, 0);
    stop_watches(runner);
    *failure = runner->failure;
    return runner->failed ? -1 : 0;
}

bool runner_was_stopped(const struct runner *runner)
{
    return runner->was_stopped;
}

void runner_destroy(struct runner *runner)
{
    if (!runner)
        return;
    for (int i = 0; i < runner->options.job_count; i++)
        table_destroy(runner->slots[i].table);
    pace_stop(&runner->pace, runner->loop);
    ev_loop_destroy(runner->loop);
    free(runner);
}
