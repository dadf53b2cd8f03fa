/*
 * Runs whose bots cannot be started, or do what they may not: what the owner of the runner is told,
 * in which order and when, by a clock that the test sets. The whole is tests/golden/play-runs.txt.
 */
#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "arena/play/mailbox.h"
#include "arena/play/runner.h"
#include "tests/golden.h"
#include "tests/play/fake_brain.h"
#include "tests/play/fake_child.h"
#include "tests/play_faults/clock.h"
#include "tests/play_faults/fault.h"

enum {
    QUIET_TURNS = 8, /* of the loop, in which nothing happened */
    STEP_US = 1000,  /* that each decision takes */
    TURN_MS = 3000,
    BANK_MS = 7000,
    GAIN_MS = 500,
    START_MS = 9000,
    UNTIMED_S = 365 * 24 * 60 * 60, /* for a decision without a clock */
    STEPS_MAX = 3000,               /* of the clock */
    OUTCOMES_MAX = 32,
    CALLS_MAX = 200, /* that may fail */
};

/* ---- what happens in a run ---- */

struct row {
    const char *name;
    int job_count, game_count;
    int fails_from, fails_until, fails_with; /* starts of bots that fail, by number */
    bool dies;                               /* each bot at once, so that games are short */
    bool is_beside;                          /* another run, whose game goes on, shares its jobs */
    bool is_series;                          /* its bots stay for the next game */
    bool is_untimed;
    bool ticks;
    int unfit_seats; /* bits */
    bool blocks;     /* another thread starts the bots */
    int dies_at;     /* decisions, before the second bot exits; 0: never */
    int interrupts_at, drains_at, gives_up_at; /* games done, 0: never */
    int interrupt_count;
    int waits;   /* how often its owner waits for something, and wakes it */
    int players; /* 0: 2 */
};

static const struct row rows[] = {
    {"two games", .job_count = 1, .game_count = 2},
    {"a game without a clock", .job_count = 1, .game_count = 1, .is_untimed = true},
    {"three seats of a series", .job_count = 1, .game_count = 3, .players = 3, .is_series = true},
    {"a second seat that is unfit", .job_count = 1, .game_count = 2, .unfit_seats = 2},
    {"two seats of three that are unfit", .job_count = 1, .game_count = 1, .players = 3,
     .unfit_seats = 5},
    {"bots that die at once", .job_count = 1, .game_count = 2, .dies = true},
    {"two starts that fail", .job_count = 1, .game_count = 2, .fails_from = 1, .fails_until = 3,
     .fails_with = EIO},
    {"starts that fail", .job_count = 2, .game_count = 2, .fails_from = 2, .fails_until = 99,
     .fails_with = EIO},
    {"no room for a third game", .job_count = 3, .game_count = 110, .fails_from = 5,
     .fails_until = 7, .fails_with = EAGAIN, .dies = true},
    {"no room for more than one game", .job_count = 4, .game_count = 12, .fails_from = 3,
     .fails_until = 9, .fails_with = ENOMEM, .dies = true},
    {"no room for any", .job_count = 2, .game_count = 3, .fails_until = 99999,
     .fails_with = ENOSPC},
    {"room after a while", .job_count = 2, .game_count = 3, .fails_until = 9, .fails_with = EUSERS},
    {"no descriptors", .job_count = 1, .game_count = 2, .fails_until = 99999, .fails_with = EMFILE},
    {"no descriptors for a while", .job_count = 1, .game_count = 2, .fails_until = 2,
     .fails_with = EMFILE},
    {"no descriptors while another run has some", .job_count = 1, .game_count = 2, .fails_from = 2,
     .fails_until = 8, .fails_with = EMFILE, .is_beside = true},
    {"no descriptors of the whole machine", .job_count = 1, .game_count = 2, .fails_until = 8,
     .fails_with = ENFILE},
    {"a bot that exits", .job_count = 1, .game_count = 2, .dies_at = 21, .players = 3},
    {"a bot that exits from a series", .job_count = 1, .game_count = 3, .dies_at = 30, .players = 4,
     .is_series = true},
    {"bots that another thread starts", .job_count = 1, .game_count = 2, .blocks = true},
    {"a run that is interrupted once", .job_count = 2, .game_count = 9, .interrupts_at = 2,
     .interrupt_count = 1},
    {"a run that is interrupted", .job_count = 2, .game_count = 9, .interrupts_at = 2,
     .interrupt_count = 2},
    {"a run that is interrupted while a game waits for room", .job_count = 2, .game_count = 9,
     .fails_from = 2, .fails_until = 99999, .fails_with = EAGAIN, .interrupts_at = 1,
     .interrupt_count = 2},
    {"a run that is drained while a game waits for room", .job_count = 2, .game_count = 9,
     .fails_from = 2, .fails_until = 40, .fails_with = EAGAIN, .drains_at = 1},
    {"games that are given up, one of them while it waits for room", .job_count = 3,
     .game_count = 9, .fails_from = 4, .fails_until = 40, .fails_with = EAGAIN, .gives_up_at = 1},
    {"slots without a game", .job_count = 3, .game_count = 1, .gives_up_at = 1},
    {"an owner who waits", .job_count = 2, .game_count = 2, .waits = 3},
    {"ticks", .job_count = 1, .game_count = 1, .ticks = true, .waits = 2},
};

/* ---- the run ---- */

static const struct row *row;
static FILE *told;
static struct ev_loop *loop;
static struct runner *runner, *beside;
static struct transport fakes;
static char *bot_argv[] = {(char *)"bot", NULL};
static struct source fit = {.manifest.run = bot_argv}, unfit;
static int64_t begun_us;
static int begun_count, done_count, start_count, wait_count, step_count, playing_max;
static void (*born_fn)(struct fake_child *fake);
static bool has_ended;

static void tell(const char *format, ...) __attribute__((format(printf, 1, 2)));

static void tell(const char *format, ...)
{
    va_list arguments;

    fault_excused = true;
    fprintf(told, "  %" PRId64 " ms: ", (clock_us - begun_us) / 1000);
    va_start(arguments, format);
    vfprintf(told, format, arguments);
    va_end(arguments);
    fputc('\n', told);
    fault_excused = false;
}

static int spawn(void *context, const struct sandbox_command *command, struct sandbox_child *child,
                 struct sandbox_failure *failure)
{
    const int number = start_count++;
    int result;

    if (number >= row->fails_from && number < row->fails_until) {
        *failure = (struct sandbox_failure){.step = "the test's start", .error = row->fails_with};
        return -row->fails_with;
    }
    fault_excused = true;
    result = fakes.spawn_fn(context, command, child, failure);
    child->layers = 1U << number % 32;
    if (row->dies)
        fake_child_die(&fake_children[child->pid], SANDBOX_END_SIGNALED);
    fault_excused = false;
    return result;
}

/* On the loop, as the brains are. */
static enum sandbox_setup setup(struct sandbox_child *child, struct sandbox_failure *failure)
{
    fault_excused = true;
    if (!fake_children[child->pid].ended)
        born_fn(&fake_children[child->pid]);
    fault_excused = false;
    return fakes.setup_fn(child, failure);
}

static bool reap(struct sandbox_child *child, struct sandbox_verdict *verdict)
{
    bool reaped = fakes.reap_fn(child, verdict);

    verdict->memory_peak_bytes = 1000 + child->pid;
    return reaped;
}

static bool next_game(void *owner, int slot, struct runner_game *game)
{
    cr_expect_eq(owner, &fit);
    if (begun_count == row->game_count)
        return false;
    *game = (struct runner_game){.number = (uint64_t)begun_count++};
    game->last = !row->is_series || begun_count == row->game_count;
    game->terms.player_count = row->players ? row->players : 2;
    game->terms.clock = (struct wire_clock){TURN_MS, BANK_MS, GAIN_MS, START_MS};
    for (int seat = 0; seat < game->terms.player_count; seat++)
        game->sources[seat] = row->unfit_seats >> seat & 1 ? &unfit : &fit;
    if (!row->dies)
        tell("slot %d begins game %d", slot, begun_count);
    return true;
}

static void count_table(void *context, const struct table *table)
{
    cr_expect_eq(table->state, TABLE_PLAYING);
    ++*(int *)context;
}

/* "seat 1 played, rank 2, 35 points; ..." */
static const char *seats_of(const struct table *table)
{
    static char text[1024];
    size_t used = 0;

    for (int seat = 0; seat < table->result.player_count; seat++) {
        const struct forfeit *forfeit = table->forfeits[seat];

        used += (size_t)sprintf(text + used, "; seat %d %s, rank %d, %d points", seat + 1,
                                wire_reason_name(table->result.reasons[seat]),
                                table->result.ranks[seat], table->result.scores[seat]);
        if (!row->blocks)
            used += (size_t)sprintf(text + used, ", layers %x, peak %" PRId64, table->layers[seat],
                                    table->memory_peak_bytes[seat]);
        if (forfeit)
            used += (size_t)sprintf(text + used, ", out in turn %d: %s", (int)forfeit->turn,
                                    forfeit->words);
    }
    return text;
}

static void game_done(void *owner, const struct runner_game *game, const struct table *table)
{
    int playing_count = 0, arena_count = 0;

    cr_expect_eq(owner, &fit);
    cr_expect_eq(table->state, TABLE_ENDING);
    for (size_t i = 0; i < table->match.decision_count; i++)
        arena_count += table->match.decisions[i].by_arena;
    cr_expect_leq(llabs(table->started_s - time(NULL)), 60);
    runner_tables_each(runner, count_table, &playing_count);
    done_count++;
    if (row->dies && runner->playing_max != playing_max)
        tell("%d games are done, %d are played at a time", done_count, runner->playing_max);
    if (!row->dies)
        tell("game %d of slot %d is done after %zu decisions, %d of them the arena's, %" PRId64
             " us and %d steps; %d are played, of %d%s",
             (int)game->number + 1, (int)((struct slot *)table->owner - runner->slots),
             table->match.decision_count, arena_count, table->wall_us, step_count, playing_count,
             runner->playing_max, seats_of(table));
    else if (row->job_count == 1)
        tell("a game is done%s", seats_of(table));
    playing_max = runner->playing_max;
    for (int i = 0; done_count == row->interrupts_at && i < row->interrupt_count; i++)
        runner_interrupt(runner);
    if (done_count == row->drains_at)
        runner_drain(runner);
    for (int slot = 0; done_count == row->gives_up_at && slot < row->job_count; slot++)
        tell("slot %d %s", slot, runner_give_up(runner, slot) ? "is given up" : "is not given up");
}

/* The time that each seat was given when it was last asked. */
static void expect_limits(const struct table *table)
{
    const size_t count = table->match.decision_count;
    const struct bot *bot = &table->bots[count ? table->match.events[count - 1].seat : 0];

    if (count == 0 && !row->unfit_seats && !row->dies)
        cr_expect_eq(bot->limit_us, START_MS * 1000);
    if (count == 0 || table->match.decisions[count - 1].by_arena)
        return;
    cr_expect_geq(bot->bank_us, BANK_MS * 1000);
    cr_expect_eq(bot->bank_us % (GAIN_MS * 1000), 0);
    cr_expect_eq(bot->limit_us,
                 row->is_untimed ? (int64_t)UNTIMED_S * 1000000 : bot->bank_us + TURN_MS * 1000);
    cr_expect_eq(bot->late_reason, WIRE_TIMEOUT);
}

static void step(void *owner, const struct runner_game *game, const struct table *table)
{
    cr_expect_eq(owner, &fit);
    cr_expect_lt(game->number, (uint64_t)row->game_count);
    cr_expect(table->state == TABLE_PLAYING);
    expect_limits(table);
    step_count++;
    clock_us += STEP_US;
    if (row->dies_at && table->match.decision_count == (size_t)row->dies_at)
        fake_child_die(&fake_children[1], SANDBOX_END_EXITED);
}

static void crowded(void *owner, const char *words)
{
    cr_expect_eq(owner, &fit);
    tell("%s", words);
}

static bool waits(void *owner, bool begins)
{
    cr_expect_eq(owner, &fit);
    if (wait_count == row->waits)
        return false;
    tell("it waits, %s", begins ? "and may begin" : "begins nothing");
    wait_count++;
    return true;
}

static void tick(void *owner)
{
    tell("tick");
}

static void ended(void *owner)
{
    struct sandbox_failure failure;
    bool failed = runner_failed(runner, &failure);

    cr_expect_eq(owner, &fit);
    if (!row->blocks) /* the thread may be slow, and the second bot not wanted any more */
        tell("it started %d bots", start_count);
    tell("it ends%s%s%s%s%s", runner_was_stopped(runner) ? ", stopped" : "",
         failed ? ", failed: " : "", failed ? failure.step : "", failed ? ": " : "",
         failed ? strerrorname_np(failure.error) : "");
    runner_destroy(runner);
    has_ended = true;
}

/* ---- another run beside it ---- */
static bool next_beside(void *owner, int slot, struct runner_game *game)
{
    int *left = owner;
    if ((*left)-- <= 0)
        return false;
    *game = (struct runner_game){.last = true};
    game->terms.player_count = 2;
    game->terms.clock = (struct wire_clock){10000, 10000, 0, 10000};
    game->sources[0] = game->sources[1] = &fit;
    return true;
}

static void done_beside(void *owner, const struct runner_game *game, const struct table *table)
{
    (void)owner, (void)game, (void)table;
}

static void ended_beside(void *owner)
{
    tell("the run beside it ends");
    runner_destroy(beside);
}

static void start_beside(struct runner_jobs *jobs, const struct transport *transport)
{
    static int left;
    const struct runner_options options = {.job_count = 1,
                                           .jobs = jobs,
                                           .owner = &left,
                                           .next_fn = next_beside,
                                           .done_fn = done_beside};

    left = 1;
    beside = runner_create(&options, transport);
    cr_assert_eq(runner_start(beside, loop, ended_beside, NULL), 0);
}

/* ---- from start to end ---- */

/* Runs the loop until nothing happens any more. */
static void settle(void)
{
    int before = -1;

    for (int quiet = 0; !has_ended && quiet < QUIET_TURNS; quiet++) {
        int now;

        ev_run(loop, EVRUN_NOWAIT);
        now = step_count + begun_count + done_count + start_count + wait_count;
        if (now != before ||
            (!has_ended && runner->transport.errands && mailbox_is_busy(runner->transport.errands)))
            quiet = 0;
        before = now;
    }
}

static void drive(void)
{
    for (int count = 0; !has_ended && count < STEPS_MAX; count++) {
        settle();
        if (has_ended)
            return;
        clock_us += (int64_t)RUNNER_ROOM_MS * 1000;
        alarm_ring(&runner->room, clock_us);
        if (row->ticks)
            alarm_ring(&runner->tick, clock_us);
        if (wait_count > 0)
            runner_wake(runner);
    }
    cr_assert(has_ended, "%s", row->name);
}

static void run(void)
{
    struct runner_jobs jobs = {.count = 9};
    struct runner_options options = {.job_count = row->job_count,
                                     .jobs = row->is_beside ? &jobs : NULL,
                                     .owner = &fit,
                                     .next_fn = next_game,
                                     .waits_fn = waits,
                                     .done_fn = game_done,
                                     .step_fn = step,
                                     .crowded_fn = crowded,
                                     .tick_fn = row->ticks ? tick : NULL};
    struct transport transport;
    int result;

    fake_child_reset();
    loop = ev_loop_new(EVFLAG_AUTO);
    fake_brain_start(loop);
    fakes = transport = fake_child_transport();
    transport.watches = false;
    transport.spawn_fn = spawn;
    transport.reap_fn = reap;
    transport.setup_fn = setup;
    transport.blocks = row->blocks;
    born_fn = fake_child_born_fn;
    fake_child_born_fn = NULL;
    clock_us = begun_us = fake_now_us;
    begun_count = done_count = start_count = wait_count = step_count = playing_max = 0;
    has_ended = false;
    fit.untimed = row->is_untimed;
    unfit.unfit = (char *)"it has no program";
    if (row->is_beside)
        start_beside(&jobs, &transport);
    runner = runner_create(&options, &transport);
    result = runner ? runner_start(runner, loop, ended, &fit) : -errno;
    if (result < 0) {
        tell("it does not start: %s", strerrorname_np(-result));
        runner_destroy(runner);
    } else {
        drive();
    }
    clock_us = 0;
    ev_run(loop, 0); /* nothing is left on it */
    ev_loop_destroy(loop);
    cr_expect_null(jobs.first);
}

static int count_descriptors(void)
{
    int count = 0;

    for (int fd = 0; fd < 256; fd++)
        count += fcntl(fd, F_GETFD) >= 0;
    return count;
}

static void run_row(void)
{
    const int descriptor_count = count_descriptors();

    run();
    cr_expect_eq(count_descriptors(), descriptor_count, "%s", row->name);
}

/* Leaves out times and makes one line. */
static void flatten(char *text)
{
    char *to = text;

    for (char *at = text; *at;) {
        const size_t digits = strspn(at += strspn(at, " "), "0123456789");

        if (digits && strncmp(at + digits, " ms: ", 5) == 0)
            at += digits + 5;
        while (*at && *at != '\n')
            *to++ = *at++;
        if (*at)
            at++;
        if (*at) {
            *to++ = ' ';
            *to++ = '|';
            *to++ = ' ';
        }
    }
    *to = '\0';
}

/* What becomes of the run, whichever call fails. */
static void write_faults(void)
{
    FILE *whole = told;
    char *seen[OUTCOMES_MAX];
    int count = 0;

    for (int at = 0; at < CALLS_MAX; at++) {
        char *text = NULL;
        size_t size;
        int same = 0;

        told = open_memstream(&text, &size);
        fault = (struct fault){.counts = true, .makes_only = true, .at = at, .error = ENOMEM};
        run_row();
        fault.counts = false;
        fclose(told);
        if (!fault.name) {
            free(text);
            break;
        }
        flatten(text);
        while (same < count && strcmp(seen[same], text) != 0)
            same++;
        cr_assert_lt(same, OUTCOMES_MAX);
        if (same == count)
            seen[count++] = text;
        else
            free(text);
    }
    told = whole;
    for (int i = 0; i < count; i++) {
        fprintf(told, "  %s\n", seen[i]);
        free(seen[i]);
    }
}

TestSuite(runs, .timeout = 120);

Test(runs, are_one_golden_text)
{
    static const struct row short_runs[] = {
        {"each call for memory, a timer or a thread fails once", .job_count = 1, .game_count = 1,
         .unfit_seats = 2, .ticks = true},
        {"the same, with a thread that starts the bots", .job_count = 1, .game_count = 1,
         .dies = true, .blocks = true},
    };
    char *text = NULL;
    size_t size;

    signal(SIGPIPE, SIG_IGN); /* as the arena does */
    told = open_memstream(&text, &size);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        row = &rows[i];
        fprintf(told, "\n%s:\n", row->name);
        run_row();
    }
    for (size_t i = 0; i < sizeof short_runs / sizeof *short_runs; i++) {
        row = &short_runs[i];
        fprintf(told, "\n%s:\n", row->name);
        write_faults();
    }
    fclose(told);
    golden_expect("play-runs.txt", text);
    free(text);
}
