/* SPDX-License-Identifier: MIT */
/* Runners that share a loop and their jobs, with bots without processes. */
#include "arena/play/runner.h"

#include <criterion/criterion.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "arena/play/foreground.h"
#include "tests/play/fake_brain.h"
#include "tests/play/fake_child.h"

enum {
    GAMES = 6, /* of each runner */
    GAMES_MAX = 40,
    RUNNERS = 2,
    BANK_US = 10000000,
};

static char order[RUNNERS * GAMES_MAX + 1]; /* which runner began a game */
static int playing_count, most_playing;
static int game_count = GAMES, step_count;
static bool second_is_practice;
static int left_count, given_up_count;
static void (*stop_fn)(struct runner *runner);
static int start_ms = 10000;
static int silent_count; /* bots that never answer: the first that are started */

struct side {
    char letter;
    int begun_count, done_count, ended_count;
    struct source source;
    struct runner *runner;
};

static bool next_game(void *owner, int slot, struct runner_game *game)
{
    struct side *side = owner;
    if (side->begun_count == game_count)
        return false;
    order[strlen(order)] = side->letter;
    *game = (struct runner_game){.number = (uint64_t)side->begun_count++};
    game->terms.player_count = 2;
    game->terms.clock = (struct wire_clock){10000, 10000, 0, start_ms};
    snprintf(game->terms.id, sizeof game->terms.id, "%c-%d", side->letter, side->begun_count);
    game->sources[0] = game->sources[1] = &side->source;
    playing_count++;
    most_playing = playing_count > most_playing ? playing_count : most_playing;
    return true;
}

static void game_done(void *owner, const struct runner_game *game, const struct table *table)
{
    struct side *side = owner;
    for (int seat = 0; seat < 2; seat++) /* of a last game: whoever is left is waited for */
        left_count += table->bots[seat].state != BOT_GONE;
    side->done_count += table->result.reasons[0] == WIRE_PLAYED;
    playing_count--;
}

/* Bots of fakes answer at once: the bank that they were told of is whole. */
static void step(void *owner, const struct runner_game *game, const struct table *table)
{
    const struct match *match = &table->match;
    step_count++;
    if (match->decision_count > 0)
        cr_assert_eq(table->bots[match->events[match->decision_count - 1].seat].bank_us, BANK_US);
}

static void ended(void *owner)
{
    struct side *side = owner;

    side->ended_count++;
    runner_wake(side->runner); /* as by something that was under way: it does nothing any more */
    runner_destroy(side->runner);
    side->runner = NULL;
}

/* Plays both runners to their ends. */
static void play(struct side sides[RUNNERS], int job_count, struct runner_jobs *jobs)
{
    const struct transport transport = fake_child_transport();
    struct ev_loop *loop = ev_loop_new(EVFLAG_AUTO);

    fake_child_reset();
    fake_brain_start(loop);
    memset(order, 0, sizeof order);
    playing_count = most_playing = 0;
    for (int i = 0; i < RUNNERS; i++) {
        struct runner_options options = {.job_count = job_count,
                                         .jobs = jobs,
                                         .is_practice = i == 1 && second_is_practice,
                                         .owner = &sides[i],
                                         .next_fn = next_game,
                                         .step_fn = step,
                                         .done_fn = game_done};

        sides[i] = (struct side){.letter = (char)('a' + i)};
        sides[i].runner = runner_create(&options, &transport);
        cr_assert_eq(runner_start(sides[i].runner, loop, ended, &sides[i]), 0);
    }
    ev_run(loop, 0);
    ev_loop_destroy(loop);
    for (int i = 0; i < RUNNERS; i++) {
        cr_expect_eq(sides[i].ended_count, 1);
        cr_expect_eq(sides[i].done_count, game_count);
    }
}

TestSuite(runner, .timeout = 60);

Test(runner, one_job_is_shared_in_turns)
{
    struct runner_jobs jobs = {.count = 1};
    struct side sides[RUNNERS];

    play(sides, 2, &jobs);
    cr_expect_str_eq(order, "abababababab");
    cr_expect_eq(most_playing, 1);
    cr_expect_null(jobs.first);
}

Test(runner, as_many_games_at_a_time_as_the_shared_jobs)
{
    struct runner_jobs jobs = {.count = 3};
    struct side sides[RUNNERS];

    play(sides, 2, &jobs);
    cr_expect_eq(most_playing, 3);
}

Test(runner, without_shared_jobs_each_has_its_own)
{
    struct side sides[RUNNERS];

    play(sides, 2, NULL);
    cr_expect_eq(most_playing, 4);
    cr_expect_gt(step_count, RUNNERS * GAMES);
    cr_expect_eq(left_count, 0, "%d bots were left when their game was done", left_count);
}

/* Practice games that began while rated ones were waiting for a job. */
static int count_practice(void)
{
    const char *last = strrchr(order, 'a');
    int count = 0;

    for (const char *at = order; at < last; at++)
        count += *at == 'b';
    return count;
}

Test(runner, practice_has_a_tenth_of_few_jobs_while_rated_games_wait)
{
    struct runner_jobs jobs = {.count = 1};
    struct side sides[RUNNERS];

    second_is_practice = true;
    game_count = 27;
    play(sides, 2, &jobs);
    cr_expect_str_eq(order, "aaaaaaaaabaaaaaaaaabaaaaaaaaabbbbbbbbbbbbbbbbbbbbbbbbb", "%s", order);
    game_count = GAMES_MAX;
    jobs = (struct runner_jobs){.count = 3};
    play(sides, 3, &jobs);
    cr_expect_geq(count_practice(), 2, "practice starves: %s", order);
    cr_expect_leq(count_practice(), GAMES_MAX / 9, "%s", order);
}

Test(runner, practice_has_one_of_ten_jobs_while_rated_games_wait)
{
    struct runner_jobs jobs = {.count = 10};
    struct side sides[RUNNERS];

    second_is_practice = true;
    game_count = GAMES_MAX;
    play(sides, 10, &jobs);
    cr_expect_geq(count_practice(), 1, "%s", order);
    cr_expect_leq(count_practice(), 6, "%s", order);
}

/* ---- runs that end early ---- */

static void stop_at_the_third(void *owner, const struct runner_game *game,
                              const struct table *table)
{
    struct side *side = owner;

    game_done(owner, game, table);
    if (side->done_count == 3)
        stop_fn(side->runner);
}

/* In the middle of the first games, between two turns of the loop. */
static void give_up_all(struct ev_loop *loop, ev_prepare *prepare, int events)
{
    struct side *side = prepare->data;
    if (!side->runner || step_count < 10)
        return;
    for (int slot = 0; slot < 2; slot++)
        given_up_count += runner_give_up(side->runner, slot);
    ev_prepare_stop(loop, prepare);
}

static void count_step(void *owner, const struct runner_game *game, const struct table *table)
{
    step_count++;
}

static void (*brain_fn)(struct fake_child *fake);

static void born(struct fake_child *fake)
{
    if (fake - fake_children >= silent_count)
        brain_fn(fake);
}

/* Returns how many games have a result. */
static int play_alone(struct runner_options options, bool gives_up)
{
    ev_prepare prepare;
    const struct transport transport = fake_child_transport();
    struct ev_loop *loop = ev_loop_new(EVFLAG_AUTO);
    struct side side = {.letter = 'a'};

    fake_child_reset();
    fake_brain_start(loop);
    brain_fn = fake_child_born_fn;
    fake_child_born_fn = born;
    memset(order, 0, sizeof order);
    options.owner = &side;
    options.next_fn = next_game;
    side.runner = runner_create(&options, &transport);
    ev_prepare_init(&prepare, give_up_all);
    prepare.data = &side;
    if (gives_up)
        ev_prepare_start(loop, &prepare);
    cr_assert_eq(runner_start(side.runner, loop, ended, &side), 0);
    ev_run(loop, 0);
    ev_loop_destroy(loop);
    cr_expect_eq(side.ended_count, 1);
    return side.done_count;
}

Test(runner, begins_no_game_once_it_is_drained_or_stopped)
{
    stop_fn = runner_drain;
    cr_expect_eq(
        play_alone((struct runner_options){.job_count = 1, .done_fn = stop_at_the_third}, false),
        3);
    stop_fn = runner_interrupt;
    cr_expect_eq(
        play_alone((struct runner_options){.job_count = 1, .done_fn = stop_at_the_third}, false),
        3);
    cr_expect_str_eq(order, "aaa");
}

Test(runner, a_game_that_is_given_up_has_no_result_and_the_others_go_on)
{
    cr_expect_eq(
        play_alone(
            (struct runner_options){.job_count = 2, .done_fn = game_done, .step_fn = count_step},
            true),
        GAMES - 2);
    cr_expect_eq(given_up_count, 2);
}

Test(runner, a_start_that_was_slept_through_is_tried_once_more)
{
    static const struct {
        const char *rule;
        bool repeats;
        int silent_count, done_count, started_count;
    } rows[] = {
        {"once: the game counts as if nothing had been", true, 2, 1, 4},
        {"twice: the bots forfeit", true, 4, 0, 4},
        {"not asked for: they forfeit at once", false, 2, 0, 2},
    };

    game_count = 1;
    start_ms = 1000;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        silent_count = rows[i].silent_count;
        cr_expect_eq(play_alone((struct runner_options){.job_count = 1,
                                                        .repeats_starts = rows[i].repeats,
                                                        .done_fn = game_done},
                                false),
                     rows[i].done_count, "%s", rows[i].rule);
        cr_expect_eq(fake_child_count, rows[i].started_count, "%s: %d", rows[i].rule,
                     fake_child_count);
    }
}

/* --pin */
Test(runner, a_pinned_job_has_a_core_of_its_own_for_its_bots)
{
    for (int pin = 0; pin <= 1; pin++) {
        play_alone((struct runner_options){.job_count = 2, .pin = pin, .done_fn = game_done},
                   false);
        for (int i = 0; i < 4; i++) /* two bots of the first job, then two of the second */
            cr_expect_eq(fake_children[i].cpu, pin ? table_core(i / 2) : -1, "bot %d", i);
    }
    cr_expect_eq(table_core(0) != table_core(1), table_core_count(-1) > 1);
    cr_expect_eq(table_core_count(table_core(1)), 1, "this limits the bot's processor time");
}

/* As while its bots were being built. */
Test(runner, a_stop_before_it_starts_is_told_like_a_later_one)
{
    const struct transport transport = fake_child_transport();
    struct side side = {.letter = 'a'};
    struct runner_options options = {
        .job_count = 1, .owner = &side, .next_fn = next_game, .done_fn = game_done};
    struct runner *runner = runner_create(&options, &transport);
    struct sandbox_failure failure;

    signal(SIGINT, SIG_DFL);
    stop_hold();
    raise(SIGINT);
    cr_expect_eq(runner_play(runner, &failure), 0);
    cr_expect(runner_was_stopped(runner));
    cr_expect_eq(side.begun_count, 0);
    runner_destroy(runner);
}
