/* SPDX-License-Identifier: MIT */
/*
 * Two seasons and two checks at the same time on one loop, with bots without processes: they are on
 * that loop too, behind socketpairs. One season and one check are played to their end, the others
 * are interrupted; the loop ends by itself when nothing is left on it.
 */
#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "arena/play/package.h"
#include "arena/replay/replay.h"
#include "arena/season/player.h"
#include "arena/store/archive.h"
#include "arena/trial/check.h"
#include "tests/play/fake_brain.h"
#include "tests/play/fake_child.h"

enum {
    BOTS = 3,
    BUDGET_GAMES = 24,
    JOBS = 3,
    SHARED_JOBS = 4,
    INTERRUPTED_AFTER = 4, /* stored games of the second season */
    CHECKED_AT_ONCE = 4,   /* bots: two a check at most, in a game against itself */
};

#define MANIFEST "{\"name\": \"x\", \"version\": \"1\", \"author\": \"a\", \"run\": [\"./x\"]}"

static struct ev_loop *loop;

/* One of the two seasons. */
struct side {
    struct store *store;
    struct season season;
    struct player *player;
    int64_t interrupt_after; /* stored games; 0: never */
    int ended_count;
    struct player_report report;
};

static void add_bots(struct store *store, const char *home)
{
    char folder[128], hash[PACKAGE_HASH_CHARS + 1], error[ARCHIVE_ERROR_BYTES];
    struct store_package package;
    uint8_t *bytes;
    FILE *file;

    snprintf(folder, sizeof folder, "%s/bot", home);
    cr_assert_eq(mkdir(folder, 0755), 0);
    snprintf(folder, sizeof folder, "%s/bot/x", home);
    file = fopen(folder, "we");
    fclose(file);
    snprintf(folder, sizeof folder, "%s/bot", home);
    cr_assert_eq(package_copy(folder, NULL, hash, error), 0, "%s", error);
    cr_assert_eq(archive_pack(folder, SIZE_MAX, &bytes, &package.size, error), 0, "%s", error);
    package.bytes = bytes;
    for (int i = 0; i < BOTS; i++) {
        struct store_bot bot = {
            .version = "1", .language = "C", .submitted_us = 1, .manifest = MANIFEST};

        snprintf(bot.name, sizeof bot.name, "bot-%d", i);
        snprintf(bot.author, sizeof bot.author, "author %d", i);
        memcpy(bot.sha256, hash, sizeof bot.sha256);
        memcpy(bot.built_sha256, hash, sizeof bot.built_sha256);
        cr_assert_eq(store_bot_add(store, &bot, package, package), 0, "%s", store_failure(store));
    }
    free(bytes);
}

/* A home whose store has the bots, and what all on the loop share. */
struct scene {
    char home[32];
    struct transport transport;
    struct runner_jobs jobs;
};

static void scene_open(struct scene *scene, int job_count)
{
    struct store *store;

    *scene = (struct scene){.home = "/tmp/side-by-side-XXXXXX",
                            .transport = fake_child_transport(),
                            .jobs = {.count = job_count}};
    fake_child_reset();
    cr_assert_not_null(mkdtemp(scene->home));
    cr_assert_eq(store_open(&store, scene->home, STORE_CREATE), 0, "%s", store_failure(store));
    add_bots(store, scene->home);
    store_close(store);
    loop = ev_loop_new(EVFLAG_AUTO);
    fake_brain_start(loop);
}

/* The sides have ended. */
static void scene_close(struct scene *scene, struct side *one, struct side *other)
{
    struct side *const sides[] = {one, other};
    char command[64];

    ev_loop_destroy(loop);
    for (int i = 0; i < 2; i++)
        if (sides[i]) {
            season_finish(&sides[i]->season);
            store_close(sides[i]->store);
        }
    snprintf(command, sizeof command, "rm -r %s", scene->home);
    cr_assert_eq(system(command), 0);
}

static void ticked(void *owner, const struct player_report *report)
{
}

static void ended(void *owner, const struct player_report *report)
{
    struct side *side = owner;

    side->ended_count++;
    side->report = *report;
    player_destroy(side->player);
    side->player = NULL;
}

static int most_alive; /* bots at a time */

/* Checks in each turn of the loop how many bots play, and whether it is time to interrupt. */
static void look(struct ev_loop *on, ev_check *check, int events)
{
    struct side *side = check->data;
    int alive = 0;

    for (int i = 0; i < fake_child_count; i++)
        alive += !fake_children[i].ended;
    most_alive = alive > most_alive ? alive : most_alive;
    if (!side->player || player_report(side->player)->played_count < side->interrupt_after)
        return;
    side->interrupt_after = INT64_MAX;
    player_interrupt(side->player);
}

static void start(struct side *side, const char *name, struct scene *scene)
{
    bool is_practice = strcmp(name, "practice") == 0;
    struct store_season terms = {.is_practice = is_practice,
                                 .player_counts = {2},
                                 .player_count_count = 1,
                                 .clock = {10000, 10000, 0, 10000},
                                 .budget_games = BUDGET_GAMES};
    struct player_options options = {.season = &side->season,
                                     .transport = &scene->transport,
                                     .program = TEST_BINARY_DIR "/bin/arena",
                                     .job_count = JOBS,
                                     .jobs = &scene->jobs,
                                     .is_practice = is_practice,
                                     .tick_fn = ticked,
                                     .ended_fn = ended,
                                     .owner = side};

    snprintf(terms.name, sizeof terms.name, "%s", name);
    cr_assert_eq(store_open(&side->store, scene->home, STORE_CREATE), 0, "%s",
                 store_failure(side->store));
    cr_assert_eq(season_create(side->store, &terms, NULL, 1), 0, "%s", store_failure(side->store));
    cr_assert_eq(season_load(&side->season, side->store, name), 0);
    side->player = player_start(loop, &options);
    cr_assert_not_null(side->player);
}

/* ---- checks ---- */

struct trial {
    struct check check;
    enum check_step stop_at; /* 0: never */
    int ended_count, result;
};

static void check_ended(void *owner, struct check *check, int result)
{
    struct trial *trial = owner;
    trial->ended_count++;
    trial->result = result;
}

static void step_entered(void *owner, const struct check *check, enum check_step step)
{
    struct trial *trial = owner;
    if (trial->stop_at && step == trial->stop_at)
        check_stop(&trial->check);
}

static void start_check(struct trial *trial, const struct transport *transport)
{
    static const struct source source = {.manifest = {.name = "checked"}};

    trial->check = (struct check){.source = &source,
                                  .clock = {10000, 10000, 0, 10000},
                                  .ended_fn = check_ended,
                                  .ended_owner = trial,
                                  .step_fn = step_entered,
                                  .owner = trial};
    cr_assert_eq(check_start(&trial->check, loop, transport), 0);
}

static void (*answers_fn)(struct fake_child *fake);
static int silent; /* number of the child that never answers */

static void born(struct fake_child *fake)
{
    if (fake - fake_children != silent)
        answers_fn(fake);
}

/* A busy machine may hold a start up in a way that looks like sleep. */
Test(side_by_side, a_check_tries_a_start_once_more_that_was_slept_through)
{
    struct scene scene;
    struct trial trial = {0};

    scene_open(&scene, 1);
    answers_fn = fake_child_born_fn;
    fake_child_born_fn = born;
    silent = 2; /* in a game of one of the settings */
    start_check(&trial, &scene.transport);
    trial.check.clock.start_ms = 200;
    ev_run(loop, 0);
    cr_expect_eq(trial.ended_count, 1);
    cr_expect(check_is_fit(&trial.check));
    check_finish(&trial.check);
    scene_close(&scene, NULL, NULL);
}

static void expect_checked(struct trial *whole, struct trial *cut)
{
    cr_expect_eq(whole->ended_count, 1);
    cr_expect_eq(whole->result, 0, "%s", whole->check.failure.step);
    cr_expect(check_is_fit(&whole->check));
    for (int step = CHECK_START; step < CHECK_STEP_COUNT; step++)
        cr_expect_eq(whole->check.entries[step].result, CHECK_PASSED, "%s: %s",
                     check_step_name((enum check_step)step), whole->check.entries[step].words);
    cr_expect_eq(cut->ended_count, 1);
    cr_expect_eq(cut->result, -1);
    cr_expect_eq(cut->check.failure.error, EINTR);
    cr_expect_eq(cut->check.entries[cut->stop_at + 1].result, CHECK_SKIPPED, "it went on");
    check_finish(&whole->check);
    check_finish(&cut->check);
}

Test(side_by_side, seasons_and_checks_share_a_loop_and_stop_cleanly, .timeout = 120)
{
    struct scene scene;
    struct side whole = {0}, cut = {.interrupt_after = INTERRUPTED_AFTER};
    struct trial checked = {0}, stopped = {.stop_at = CHECK_SETTINGS + 1};
    ev_check check;

    scene_open(&scene, SHARED_JOBS);
    start(&whole, "whole", &scene);
    start(&cut, "cut", &scene);
    start_check(&checked, &scene.transport);
    start_check(&stopped, &scene.transport);
    ev_check_init(&check, look);
    check.data = &cut;
    ev_check_start(loop, &check);
    ev_unref(loop); /* it alone keeps nothing running */

    ev_run(loop, 0); /* until nothing is left on it */

    cr_expect_eq(whole.ended_count, 1);
    cr_expect(!whole.report.failed, "%s", whole.report.error);
    cr_expect_eq(whole.report.step, SEASON_SPENT);
    cr_expect_eq(whole.report.played_count, BUDGET_GAMES);
    cr_expect_eq(whole.report.forfeit_count, 0);
    cr_expect_eq(cut.ended_count, 1);
    cr_expect(!cut.report.failed, "%s", cut.report.error);
    cr_expect(cut.report.was_stopped);
    cr_expect_geq(cut.report.played_count, INTERRUPTED_AFTER);
    cr_expect_lt(cut.report.played_count, BUDGET_GAMES);
    cr_expect_leq(most_alive, 2 * SHARED_JOBS + CHECKED_AT_ONCE,
                  "more games at a time than the jobs they share");
    expect_checked(&checked, &stopped);
    cr_expect_null(scene.jobs.first);
    for (int i = 0; i < fake_child_count; i++)
        cr_expect(fake_children[i].ended, "a bot was left behind");
    ev_ref(loop);
    ev_check_stop(loop, &check);
    scene_close(&scene, &whole, &cut);
}

/* The loop has the terms as they were at the start: the thread that owns the season reads them anew
   while games begin. */
Test(side_by_side, what_happens_to_a_seasons_terms_while_it_is_played_does_not_reach_its_games,
     .timeout = 120)
{
    struct scene scene;
    struct side side = {0};

    scene_open(&scene, 2);
    start(&side, "rated", &scene);
    side.season.terms.clock = (struct wire_clock){0};
    ev_run(loop, 0);
    cr_expect_eq(side.report.played_count, BUDGET_GAMES);
    cr_expect_eq(side.report.forfeit_count, 0, "games were begun with a clock of zeros");
    scene_close(&scene, &side, NULL);
}

/* True if the names were sent to the bots of a season's first game. */
static bool told_names(const struct side *side)
{
    char error[REPLAY_ERROR_BYTES];
    struct replay replay;
    uint8_t *bytes;
    size_t size;
    bool told;

    cr_assert_eq(store_replay_read(side->store, side->season.terms.id, 0, 0, &bytes, &size), 0);
    cr_assert_eq(replay_unpack(&replay, bytes, size, error), 0, "%s", error);
    told = replay.names_told;
    replay_finish(&replay);
    free(bytes);
    return told;
}

Test(side_by_side, practice_tells_names_and_rated_games_do_not, .timeout = 120)
{
    struct scene scene;
    struct side practice = {0}, rated = {0};

    scene_open(&scene, 2);
    start(&rated, "rated", &scene);
    start(&practice, "practice", &scene);
    ev_run(loop, 0);

    cr_expect_eq(rated.report.played_count, BUDGET_GAMES);
    cr_expect_eq(practice.report.played_count, BUDGET_GAMES);
    cr_expect(told_names(&practice), "names are told in practice");
    cr_expect_not(told_names(&rated), "names are not told in rated games");
    scene_close(&scene, &rated, &practice);
}
