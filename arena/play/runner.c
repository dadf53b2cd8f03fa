/* SPDX-License-Identifier: MIT */
#include "arena/play/runner.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena/play/foreground.h"
#include "arena/play/mailbox.h"
#include "arena/base/clock.h"

enum runner_state {
    RUNNER_RUNNING = 0,
    RUNNER_DRAINING = 1, /* no new game begins; running games go on to their end */
    RUNNER_STOPPING = 2, /* no new game begins; running games end without a result */
};

/* A slot plays one game at a time. */
struct slot {
    struct runner *runner;
    struct table *table;
    struct runner_game game;
    int attempt_count; /* number of times that the slot's game was void */
    bool has_waiting;  /* the game waits until the machine has room for its bots */
    bool is_given_up;  /* the owner no longer wants this game's result */
    bool is_repeated;  /* the game is played once more, because a bot slept through its start */
};

struct runner {
    enum runner_state state;
    bool was_stopped;
    struct runner_options options;
    struct runner *next; /* next runner that shares options.jobs */
    bool is_kept_out;    /* the runner has a game to begin, but other runners use all shared jobs */
    bool has_more;       /* what next_fn last returned */
    struct transport transport;
    struct ev_loop *loop; /* the loop of the run; NULL before its start and after its end */
    struct pace pace;
    /* Timer that ends the run from the loop, so that ended_fn may destroy the runner. */
    ev_timer over;
    /* Timer that begins games from the loop, once another runner has released a job. */
    ev_timer freed;
    void (*ended_fn)(void *ended_owner);
    void *ended_owner;
    struct alarm watch; /* alarm for the next check of the bots' memory */
    int watched_count;  /* number of slots already checked in the current round of memory checks */
    int64_t watch_begun_us; /* start of the current round of memory checks */
    struct alarm tick; /* alarm for the next call of tick_fn; an ev_timer would cost a system call
                          per poll */
    bool failed;
    struct sandbox_failure failure;
    int playing_max; /* largest number of simultaneous games: job_count, or fewer if the machine is
                        full */
    int told_max;    /* smallest playing_max that crowded_fn has received so far */
    int done_count;  /* number of games that ended since playing_max changed */
    int64_t full_us; /* moment since which games wait for room on the machine; 0: no game waits */
    struct alarm room; /* alarm for the next attempt to start a waiting game */
    struct slot slots[];
};

/* ---- jobs that several runners share ---- */

static int busy_games(const struct runner *runner)
{
    int count = 0;

    for (int i = 0; i < runner->options.job_count; i++)
        count += runner->slots[i].table && runner->slots[i].table->state != TABLE_FREE;
    return count;
}

bool runner_jobs_are_wanted(const struct runner_jobs *jobs)
{
    for (const struct runner *at = jobs->first; at; at = at->next)
        if (!at->options.is_practice && at->state == RUNNER_RUNNING &&
            (at->is_kept_out || at->has_more))
            return true;
    return false;
}

/* True if a runner of practice games must leave a job to a runner of rated games. */
static bool is_to_wait(const struct runner *runner)
{
    const struct runner_jobs *jobs = runner->options.jobs;
    int practice_count = 0;

    if (!jobs || !runner->options.is_practice)
        return false;
    for (const struct runner *at = jobs->first; at; at = at->next)
        practice_count += at->options.is_practice ? busy_games(at) : 0;
    if (practice_count == 0 && jobs->rated_count >= RUNNER_PRACTICE_SHARE - 1)
        return false; /* few jobs are shared: every RUNNER_PRACTICE_SHARE-th game is a practice game
                       */
    return runner_jobs_are_wanted(jobs) &&
           (practice_count + 1) * RUNNER_PRACTICE_SHARE > jobs->count;
}

/* Returns how many games run, of this runner and of those that share its jobs. */
static int all_games(const struct runner *runner)
{
    const struct runner_jobs *jobs = runner->options.jobs;
    int count = jobs ? 0 : busy_games(runner);

    for (const struct runner *at = jobs ? jobs->first : NULL; at; at = at->next)
        count += busy_games(at);
    return count;
}

/*
 * True if this runner may begin one more game: by its own limit, and by the number of jobs that it
 * shares with other runners.
 */
static bool has_job(const struct runner *runner)
{
    const struct runner_jobs *jobs = runner->options.jobs;

    return busy_games(runner) < runner->playing_max && !is_to_wait(runner) &&
           (!jobs || all_games(runner) < jobs->count);
}

/*
 * Lets other runners that lacked a job begin games from the loop: all of them, or only practice
 * runners.
 */
static void offer_jobs(const struct runner *runner, bool to_practice_only)
{
    const struct runner_jobs *jobs = runner->options.jobs;

    for (struct runner *at = jobs ? jobs->first : NULL; at; at = at->next)
        if (at != runner && at->is_kept_out && (at->options.is_practice || !to_practice_only))
            ev_timer_start(at->loop, &at->freed);
}

void runner_jobs_set(struct runner_jobs *jobs, int count)
{
    jobs->count = count;
    for (struct runner *at = jobs->first; at; at = at->next)
        if (at->is_kept_out)
            ev_timer_start(at->loop, &at->freed);
}

static void join_jobs(struct runner *runner)
{
    struct runner_jobs *jobs = runner->options.jobs;

    if (!jobs)
        return;
    runner->next = jobs->first;
    jobs->first = runner;
}

/* Takes the runner off the list of its shared jobs, and offers its jobs to the other runners. */
static void leave_jobs(struct runner *runner)
{
    struct runner_jobs *jobs = runner->options.jobs;

    for (struct runner **at = jobs ? &jobs->first : NULL; at && *at; at = &(*at)->next)
        if (*at == runner) {
            *at = runner->next;
            offer_jobs(runner, false);
            return;
        }
}

/* ---- games ---- */

static void table_done(struct table *table);
static void wake_others(struct runner *runner);

static bool has_waiting(const struct runner *runner)
{
    for (int i = 0; i < runner->options.job_count; i++)
        if (runner->slots[i].has_waiting)
            return true;
    return false;
}

static void table_step(struct table *table)
{
    const struct slot *slot = table->owner;

    slot->runner->options.step_fn(slot->runner->options.owner, &slot->game, table);
}

static void play(struct slot *slot)
{
    const struct runner_options *options = &slot->runner->options;

    slot->table->trial = slot->game.trial;
    slot->table->rules = slot->game.rules ? slot->game.rules : &options->rules;
    slot->table->game_count = all_games(slot->runner) + 1;
    slot->table->must_fit = slot->table->game_count > 1;
    slot->table->cpu =
        options->pin || slot->game.pin ? table_core((int)(slot - slot->runner->slots)) : -1;
    table_play(slot->table, &slot->game.terms, slot->game.sources);
}

/* Begins the next game in a free slot, if the owner has a game and the runner has a job. */
static void begin(struct runner *runner, struct slot *slot)
{
    const int number = (int)(slot - runner->slots);

    if (runner->state != RUNNER_RUNNING || slot->has_waiting)
        return;
    runner->is_kept_out = !has_job(runner);
    if (runner->is_kept_out)
        return;
    runner->has_more = runner->options.next_fn(runner->options.owner, number, &slot->game);
    if (!runner->has_more) {
        offer_jobs(runner, true);
        return;
    }
    if (runner->options.jobs)
        runner->options.jobs->rated_count =
            runner->options.is_practice ? 0 : runner->options.jobs->rated_count + 1;
    if (!slot->table) {
        slot->table =
            table_create(runner->loop, &runner->pace, &runner->transport, &runner->options.rules);
        if (!slot->table) {
            runner->failed = true;
            runner->failure =
                (struct sandbox_failure){.step = "memory for a table", .error = ENOMEM};
            runner_drain(runner);
            return;
        }
        slot->table->owner = slot;
        slot->table->done_fn = table_done;
        if (runner->options.step_fn)
            slot->table->step_fn = table_step;
    }
    slot->attempt_count = 0;
    slot->is_given_up = slot->is_repeated = false;
    play(slot);
}

static void stop_all(struct runner *runner)
{
    runner->state = RUNNER_STOPPING;
    if (runner->transport.errands)
        mailbox_limit(runner->transport.errands, MAILBOX_HURRY_MS);
    for (int i = 0; i < runner->options.job_count; i++) {
        runner->slots[i].has_waiting = false;
        if (runner->slots[i].table)
            table_stop(runner->slots[i].table);
    }
}

static void fail(struct runner *runner, const struct sandbox_failure *failure)
{
    runner->failed = true;
    runner->failure = *failure;
    stop_all(runner);
}

bool runner_is_exhaustion(int error)
{
    return error == EAGAIN || error == ENOMEM || error == EMFILE || error == ENFILE ||
           error == ENOSPC || error == EUSERS;
}

/* True while another thread is starting or ending bots. */
static bool has_errands(const struct runner *runner)
{
    return runner->transport.errands && mailbox_is_busy(runner->transport.errands);
}

static void tell_crowded(const struct runner *runner, const struct sandbox_failure *failure)
{
    char words[RUNNER_WORDS_BYTES];

    if (!runner->options.warn_fn)
        return;
    snprintf(
        words, sizeof words,
        "the machine has no room for another bot (%s: %s): the arena now plays %d %s at a time",
        failure->step, strerror(failure->error), runner->playing_max,
        runner->playing_max == 1 ? "game" : "games");
    runner->options.warn_fn(runner->options.owner, words);
}

/*
 * Makes a game wait until the machine has room for its bots, and lowers the number of simultaneous
 * games. Fails the run if there has been no room for a single game for too long.
 */
static void await_room(struct runner *runner, struct slot *slot,
                       const struct sandbox_failure *failure)
{
    int64_t now_us = clock_now_us();
    int busy_count = busy_games(runner);
    int fewer = busy_count > 1 ? busy_count : 1;

    if (!runner->full_us)
        runner->full_us = now_us;
    if (busy_count == 0 && now_us - runner->full_us > (int64_t)RUNNER_FULL_MS * 1000) {
        fail(runner, failure);
        return;
    }
    slot->has_waiting = true;
    if (fewer < runner->playing_max) {
        runner->playing_max = fewer;
        runner->done_count = 0;
        if (fewer < runner->told_max)
            tell_crowded(runner, failure);
        runner->told_max = fewer < runner->told_max ? fewer : runner->told_max;
    }
    alarm_set(&runner->room, now_us + (int64_t)RUNNER_ROOM_MS * 1000);
}

static void try_waiting(struct runner *runner)
{
    for (int i = 0; i < runner->options.job_count; i++) {
        struct slot *slot = &runner->slots[i];

        if (!slot->has_waiting || !has_job(runner))
            continue;
        slot->has_waiting = false;
        play(slot);
    }
}

static void look_for_room(struct alarm *alarm)
{
    struct runner *runner = alarm->owner;

    try_waiting(runner);
    if (has_waiting(runner))
        alarm_set(alarm, clock_now_us() + (int64_t)RUNNER_ROOM_MS * 1000);
}

/*
 * Called when a game has ended, so that the machine had room for it. Every RUNNER_MORE_GAMES calls,
 * raises the number of simultaneous games by one.
 */
static void find_room(struct runner *runner)
{
    runner->full_us = 0;
    if (++runner->done_count < RUNNER_MORE_GAMES ||
        runner->playing_max == runner->options.job_count)
        return;
    runner->playing_max++;
    runner->done_count = 0;
}

static void tell_void(const struct runner *runner, const struct sandbox_failure *failure)
{
    char words[RUNNER_WORDS_BYTES];

    if (!runner->options.warn_fn)
        return;
    snprintf(words, sizeof words,
             "the arena could not end a game (%s: %s), and plays it again; after %d times it stops",
             failure->step, strerror(failure->error), RUNNER_ATTEMPTS);
    runner->options.warn_fn(runner->options.owner, words);
}

/* Handles a void game: plays the game again, makes it wait for room, or fails the run. */
static void settle_void(struct runner *runner, struct slot *slot)
{
    struct sandbox_failure failure = slot->table->failure;

    table_clear(slot->table);
    if (runner->state == RUNNER_STOPPING)
        return;
    if (slot->is_given_up) {
        wake_others(runner);
        begin(runner, slot);
    } else if (runner_is_exhaustion(failure.error)) {
        await_room(runner, slot, &failure);
    } else if (++slot->attempt_count < RUNNER_ATTEMPTS) {
        tell_void(runner, &failure);
        play(slot);
    } else {
        fail(runner, &failure);
    }
}

static bool is_over(const struct runner *runner)
{
    bool begins = runner->state == RUNNER_RUNNING;

    return busy_games(runner) == 0 && !has_errands(runner) && !has_waiting(runner) &&
           !(begins && runner->is_kept_out) &&
           !(runner->options.waits_fn && runner->options.waits_fn(runner->options.owner, begins));
}

static void check_over(struct runner *runner)
{
    if (is_over(runner))
        ev_timer_start(runner->loop, &runner->over);
}

static void begin_all(struct runner *runner)
{
    for (int i = 0; i < runner->options.job_count; i++)
        if (!runner->slots[i].table || runner->slots[i].table->state == TABLE_FREE)
            begin(runner, &runner->slots[i]);
}

/* Offers a job that has become free to the other runners of the shared jobs, in turn. */
static void wake_others(struct runner *runner)
{
    struct runner_jobs *jobs = runner->options.jobs;
    struct runner *at = runner;

    while (jobs && (at = at->next ? at->next : jobs->first) != runner) {
        try_waiting(at);
        if (at->is_kept_out)
            begin_all(at);
        check_over(at);
    }
}

static bool slept_through_start(const struct table *table)
{
    for (int seat = 0; seat < table->match.terms.player_count; seat++) {
        const struct forfeit *forfeit = table->forfeits[seat];

        if (forfeit && forfeit->reason == WIRE_START && forfeit->cause == LATE_SLEPT)
            return true;
    }
    return false;
}

static void table_done(struct table *table)
{
    struct slot *slot = table->owner;
    struct runner *runner = slot->runner;

    if (table->state == TABLE_VOID) {
        settle_void(runner, slot);
    } else if (runner->options.repeats_starts && !slot->is_repeated && !slot->is_given_up &&
               runner->state != RUNNER_STOPPING && slept_through_start(table)) {
        slot->is_repeated = true;
        table_clear(table);
        play(slot);
    } else {
        runner->options.done_fn(runner->options.owner, &slot->game, table);
        table_clear(table);
        find_room(runner);
        wake_others(runner);
        try_waiting(runner);
        begin(runner, slot);
        if (runner->playing_max < runner->options.job_count)
            begin_all(runner);
    }
    check_over(runner);
}

void runner_wake(struct runner *runner)
{
    if (!runner->loop)
        return;
    begin_all(runner);
    check_over(runner);
}

void runner_tables_each(const struct runner *runner,
                        void (*table_fn)(void *context, const struct table *table), void *context)
{
    for (int i = 0; i < runner->options.job_count; i++)
        if (runner->slots[i].table && (runner->slots[i].table->state == TABLE_PLAYING ||
                                       runner->slots[i].table->state == TABLE_ENDING))
            table_fn(context, runner->slots[i].table);
}

bool runner_give_up(struct runner *runner, int slot_number)
{
    struct slot *slot = &runner->slots[slot_number];
    bool is_playing = slot->table && slot->table->state == TABLE_PLAYING;

    if (!is_playing && !slot->has_waiting)
        return false;
    slot->is_given_up = true;
    slot->has_waiting = false;
    if (is_playing)
        table_stop(slot->table);
    else
        check_over(runner);
    return true;
}

void runner_drain(struct runner *runner)
{
    if (runner->state == RUNNER_RUNNING)
        runner->state = RUNNER_DRAINING;
}

void runner_interrupt(struct runner *runner)
{
    runner->was_stopped = true;
    if (runner->state == RUNNER_RUNNING)
        runner->state = RUNNER_DRAINING;
    else
        stop_all(runner);
    if (runner->loop)
        check_over(runner);
}

/*
 * Checks the memory of all bots in short steps, so that no bot's answer waits long for the checks.
 */
static void watch_memory(struct alarm *alarm)
{
    struct runner *runner = alarm->owner;
    int64_t begun_us = clock_now_us(), now_us = begun_us;

    if (runner->watched_count == 0)
        runner->watch_begun_us = begun_us;
    for (; runner->watched_count < runner->options.job_count &&
           now_us - begun_us < RUNNER_WATCH_US_MAX;
         now_us = clock_now_us()) {
        struct table *table = runner->slots[runner->watched_count++].table;

        if (table)
            table_watch(table);
    }
    if (runner->watched_count < runner->options.job_count) {
        alarm_set(alarm, now_us + RUNNER_WATCH_US_MAX);
        return;
    }
    runner->watched_count = 0;
    alarm_set(alarm, runner->watch_begun_us + (int64_t)RUNNER_WATCH_MS * 1000);
}

static void tick(struct alarm *alarm)
{
    struct runner *runner = alarm->owner;

    runner->options.tick_fn(runner->options.owner);
    alarm_set(alarm, clock_now_us() + (int64_t)RUNNER_TICK_MS * 1000);
}

struct runner *runner_create(const struct runner_options *options,
                             const struct transport *transport)
{
    struct runner *runner;

    assert(options->job_count >= 1 && options->job_count <= RUNNER_JOBS_MAX);
    runner = calloc(1, sizeof *runner + (size_t)options->job_count * sizeof *runner->slots);
    if (!runner)
        return NULL;
    runner->options = *options;
    runner->playing_max = runner->told_max = options->job_count;
    runner->transport = *transport;
    for (int i = 0; i < options->job_count; i++)
        runner->slots[i].runner = runner;
    return runner;
}

/* Ends all tables and stops all watchers of the runner. */
static void leave_loop(struct runner *runner)
{
    for (int i = 0; i < runner->options.job_count; i++) {
        table_destroy(runner->slots[i].table);
        runner->slots[i].table = NULL;
    }
    mailbox_destroy(runner->transport.errands);
    runner->transport.errands = NULL;
    alarm_close(&runner->watch, runner->loop);
    alarm_close(&runner->tick, runner->loop);
    alarm_close(&runner->room, runner->loop);
    ev_timer_stop(runner->loop, &runner->over);
    ev_timer_stop(runner->loop, &runner->freed);
    leave_jobs(runner);
    pace_stop(&runner->pace, runner->loop);
    runner->loop = NULL;
}

static void end(struct ev_loop *loop, ev_timer *timer, int events)
{
    struct runner *runner = timer->data;

    if (!is_over(runner))
        return; /* runner_wake has begun another game */
    leave_loop(runner);
    runner->ended_fn(runner->ended_owner);
}

static void begin_freed(struct ev_loop *loop, ev_timer *timer, int events)
{
    runner_wake(timer->data);
}

static void errands_done(void *owner)
{
    check_over(owner);
}

/* Called while the thread takes too long to start or end a bot. */
static void start_is_slow(void *owner)
{
    const struct runner *runner = owner;

    if (runner->transport.abort_fn)
        runner->transport.abort_fn(runner->transport.context);
}

/* Starts the timers of the run, and the thread that starts and ends bots. Returns 0 or -errno. */
static int start_watches(struct runner *runner)
{
    const struct mailbox_options errands = {.owner = runner,
                                            .idle_fn = errands_done,
                                            .slow_fn = start_is_slow,
                                            .stuck_ms = MAILBOX_STUCK_MS};
    int64_t now_us = clock_now_us();
    int error = 0;

    pace_start(&runner->pace, runner->loop);
    if (runner->options.now_fn)
        runner->pace.now_fn = runner->options.now_fn;
    ev_timer_init(&runner->over, end, 0., 0.);
    ev_timer_init(&runner->freed, begin_freed, 0., 0.);
    runner->over.data = runner->freed.data = runner;
    if (runner->transport.blocks)
        error = mailbox_create(&runner->transport.errands, runner->loop, &errands);
    if (error == 0)
        error = alarm_open(&runner->room, runner->loop, look_for_room, runner);
    if (error == 0 && runner->options.tick_fn) {
        error = alarm_open(&runner->tick, runner->loop, tick, runner);
        if (error == 0)
            alarm_set(&runner->tick, now_us + (int64_t)RUNNER_TICK_MS * 1000);
    }
    if (error == 0 && runner->transport.watches) {
        error = alarm_open(&runner->watch, runner->loop, watch_memory, runner);
        if (error == 0)
            alarm_set(&runner->watch, now_us + (int64_t)RUNNER_WATCH_MS * 1000);
    }
    return error;
}

int runner_start(struct runner *runner, struct ev_loop *loop, void (*ended_fn)(void *ended_owner),
                 void *ended_owner)
{
    int error;

    assert(!runner->loop);
    runner->loop = loop;
    runner->ended_fn = ended_fn;
    runner->ended_owner = ended_owner;
    error = start_watches(runner);
    if (error < 0) {
        leave_loop(runner);
        return error;
    }
    join_jobs(runner);
    runner_wake(runner);
    return 0;
}

bool runner_failed(const struct runner *runner, struct sandbox_failure *failure)
{
    *failure = runner->failure;
    return runner->failed;
}

bool runner_was_stopped(const struct runner *runner)
{
    return runner->was_stopped;
}

void runner_destroy(struct runner *runner)
{
    if (!runner)
        return;
    if (runner->loop)
        leave_loop(runner);
    free(runner);
}

/* ---- in the foreground ---- */

struct run {
    struct runner *runner;
    struct foreground foreground;
};

static void interrupt_run(void *owner)
{
    runner_interrupt(((struct run *)owner)->runner);
}

static void run_ended(void *owner)
{
    foreground_end(&((struct run *)owner)->foreground);
}

int runner_play(struct runner *runner, struct sandbox_failure *failure)
{
    struct run run = {.runner = runner};
    int error;

    *failure = (struct sandbox_failure){0};
    if (stop_is_asked()) {
        runner_interrupt(runner);
        return 0;
    }
    error = foreground_open(&run.foreground, interrupt_run, &run);
    if (!error) {
        error = runner_start(runner, run.foreground.loop, run_ended, &run);
        if (!error)
            foreground_wait(&run.foreground);
        foreground_close(&run.foreground);
    }
    if (error) {
        *failure = (struct sandbox_failure){.step = "event loop", .error = -error};
        return -1;
    }
    return runner_failed(runner, failure) ? -1 : 0;
}
