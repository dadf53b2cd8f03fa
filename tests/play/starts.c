/* SPDX-License-Identifier: MIT */
/*
 * Bots that take long to start, beside a running game: the game does not wait for them, and ending
 * the run meanwhile leaves no process behind. With bots without processes; the third start waits
 * until the test lets it continue.
 */
#include <criterion/criterion.h>
#include <errno.h>
#include <semaphore.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "arena/play/bot.h"
#include "arena/play/mailbox.h"
#include "arena/play/runner.h"
#include "tests/play/fake_brain.h"
#include "tests/play/fake_child.h"

enum {
    GAMES = 2,
    SLOW_START = 3,  /* of all: the first of the second game */
    PATIENCE_S = 60, /* after which a start goes on all the same, and the test has failed */
};

static struct transport fakes;
static void (*born_fn)(struct fake_child *fake);
static struct runner *runner;
static char *run[] = {(char *)"bot", NULL};
static struct source source = {.manifest.run = run};
static sem_t go_on; /* the slow start */
static bool hangs;  /* the slow start: until it is aborted */
static int aborted_count;
static int begun_count, done_count, ended_count, finished_count;
static bool was_held, interrupts;
static int fails_with; /* every start, or 0 */
static int fails_left; /* starts that fail so, then no more; 0: all */
static char warned_words[RUNNER_WORDS_BYTES];
static int warned_count;
static int must_fit_count; /* starts that fail if there is no memory for all bots */
static struct sandbox_failure failure;
static bool failed;

static int spawn(void *context, const struct sandbox_command *command, struct sandbox_child *child,
                 struct sandbox_failure *why)
{
    struct timespec deadline;

    must_fit_count += command->must_fit;
    if (fails_with) {
        int error = fails_with;

        *why = (struct sandbox_failure){.step = "the test's start", .error = error};
        if (fails_left && --fails_left == 0)
            fails_with = 0;
        return -error;
    }
    clock_gettime(CLOCK_REALTIME, &deadline);
    deadline.tv_sec += PATIENCE_S;
    if (fake_child_count + 1 == SLOW_START && sem_timedwait(&go_on, &deadline) < 0)
        was_held = true;
    return fakes.spawn_fn(context, command, child, why);
}

/* On the loop, as the brains are. */
static enum sandbox_setup setup(struct sandbox_child *child, struct sandbox_failure *why)
{
    born_fn(&fake_children[child->pid]);
    return fakes.setup_fn(child, why);
}

static void finish(struct sandbox_child *child)
{
    finished_count++;
    fakes.finish_fn(child);
}

static bool next_game(void *owner, int slot, struct runner_game *game)
{
    if (begun_count == GAMES)
        return false;
    *game = (struct runner_game){.number = (uint64_t)begun_count++};
    game->terms.player_count = 2;
    game->terms.clock = (struct wire_clock){10000, 10000, 0, 10000};
    snprintf(game->terms.id, sizeof game->terms.id, "%d", begun_count);
    game->sources[0] = game->sources[1] = &source;
    return true;
}

static void game_done(void *owner, const struct runner_game *game, const struct table *table)
{
    done_count += table->result.reasons[0] == WIRE_PLAYED;
    if (interrupts) {
        runner_interrupt(runner);
        runner_interrupt(runner);
    }
    if (!hangs)
        sem_post(&go_on);
}

static void warn(void *owner, const char *words)
{
    cr_expect_eq(owner, (void *)&source);
    warned_count++;
    snprintf(warned_words, sizeof warned_words, "%s", words);
}

static void ended(void *owner)
{
    ended_count++;
    failed = runner_failed(runner, &failure);
    runner_destroy(runner);
}

static void abort_start(void *context)
{
    aborted_count++;
    sem_post(&go_on);
}

/* Plays two games at a time to the end of the run. */
static void play(void)
{
    const struct runner_options options = {.job_count = GAMES,
                                           .owner = &source,
                                           .next_fn = next_game,
                                           .done_fn = game_done,
                                           .warn_fn = warn};
    struct ev_loop *loop = ev_loop_new(EVFLAG_AUTO);
    struct transport transport;

    fake_child_reset();
    fake_brain_start(loop);
    born_fn = fake_child_born_fn;
    fake_child_born_fn = NULL;
    fakes = transport = fake_child_transport();
    transport.blocks = true;
    transport.spawn_fn = spawn;
    transport.setup_fn = setup;
    transport.finish_fn = finish;
    transport.abort_fn = abort_start;
    sem_init(&go_on, 0, 0);
    runner = runner_create(&options, &transport);
    cr_assert_eq(runner_start(runner, loop, ended, NULL), 0);
    ev_run(loop, 0); /* until nothing is left on it */
    ev_loop_destroy(loop);
    cr_expect_eq(ended_count, 1);
    cr_expect_eq(finished_count, fake_child_count);
    for (int i = 0; i < fake_child_count; i++)
        cr_expect(fake_children[i].ended, "a bot was left behind");
}

TestSuite(starts, .timeout = 120);

Test(starts, a_slow_start_delays_no_other_game)
{
    play();
    cr_expect(!was_held, "a game waited for the start of another's bot");
    cr_expect_eq(done_count, GAMES);
    cr_expect_eq(fake_child_count, 2 * GAMES);
}

Test(starts, a_run_that_is_ended_meanwhile_leaves_nobody_behind)
{
    interrupts = true;
    play();
    cr_expect(!was_held);
    cr_expect_eq(done_count, 1);
    cr_expect_eq(fake_child_count, SLOW_START, "a bot was started for a game that had ended");
}

Test(starts, the_first_game_begins_whatever_memory_there_is)
{
    play();
    cr_expect_eq(must_fit_count, 2, "the bots of the second game");
}

/* The arena's own failure: the run ends after some attempts. */
Test(starts, a_start_that_fails_ends_the_run)
{
    fails_with = EIO;
    play();
    cr_expect(failed);
    cr_expect_eq(failure.error, EIO);
    cr_expect_str_eq(failure.step, "the test's start");
}

Test(starts, a_game_whose_start_failed_is_played_again)
{
    fails_with = EIO;
    fails_left = 2;
    play();
    cr_expect(!failed);
    cr_expect_eq(done_count, GAMES);
    cr_expect_eq(warned_count, 1); /* both seats of one game */
    cr_expect_str_eq(warned_words,
                     "the arena could not end a game (the test's start: Input/output error), and "
                     "plays it again; after 3 times it stops");
}

Test(starts, a_machine_without_room_is_told_once)
{
    fails_with = EAGAIN;
    fails_left = 2;
    play();
    cr_expect(!failed);
    cr_expect_eq(done_count, GAMES);
    cr_expect_eq(warned_count, 1);
    cr_expect_str_eq(warned_words,
                     "the machine has no room for another bot (the test's start: Resource "
                     "temporarily unavailable): the arena now plays 1 game at a time");
}

/* ---- a start that hangs ---- */

static void broke(struct bot *bot)
{
}

static void went(struct bot *bot)
{
}

/* The second game's start hangs; the organizer has ended the run after the first game. */
Test(starts, one_that_hangs_does_not_outlive_the_run)
{
    interrupts = hangs = true;
    play();
    cr_expect(!was_held, "the run waited until the start returned by itself");
    cr_expect_gt(aborted_count, 0);
    cr_expect_eq(done_count, 1);
}

/* As when a check is stopped while its bot starts. */
Test(starts, one_that_succeeds_keeps_an_earlier_failure)
{
    const struct sandbox_command command = {.argv = (const char *const *)run, .cpu = -1};
    struct ev_loop *loop = ev_loop_new(EVFLAG_AUTO);
    struct bot bot = {.broken_fn = broke, .gone_fn = went, .core_count = 1};
    struct transport transport;
    struct mailbox *errands;
    struct pace pace;

    mailbox_create(&errands, loop, NULL);
    fake_child_reset();
    transport = fake_child_transport();
    transport.errands = errands;
    pace_start(&pace, loop);
    cr_assert_eq(bot_start(&bot, loop, &pace, &transport, &command), 0);
    bot.failure = (struct sandbox_failure){.step = "stopped", .error = EINTR};
    while (bot.starting)
        ev_run(loop, EVRUN_ONCE);
    cr_expect(bot.failure.step && strcmp(bot.failure.step, "stopped") == 0, "%s", bot.failure.step);
    bot_kill(&bot);
    bot_finish(&bot);
    mailbox_destroy(errands);
    pace_stop(&pace, loop);
    ev_loop_destroy(loop);
}
