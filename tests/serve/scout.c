/* SPDX-License-Identifier: MIT */
/* What the scout sees of a store, and tells the daemon. */
#include "arena/serve/scout.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/store/fixture.h"
#include "arena/base/clock.h"

/* Of the seed that begins with 1: what a season is loaded with must be true. */
#define COMMITMENT "4cbbd8ca5215b8d161aec181a74b694f4e24b001d5b081dc0030ed797a8973e0"

enum {
    TIER = 1, /* of this machine, for these tests */
};

struct told {
    struct ev_loop *loop;
    struct scout *scout;
    int look_count, ready_count;
    struct scout_view view;
    char ready[STORE_NAME_BYTES_MAX + 1]; /* the last one */
};

static struct fixture fixture;
static struct told told;

static void seen(void *owner, struct scout_view *view)
{
    told.look_count++;
    told.view = *view;
    ev_break(told.loop, EVBREAK_ONE);
}

static void ready(void *owner, struct scout_ready *season)
{
    told.ready_count++;
    memcpy(told.ready, season->season.terms.name, sizeof told.ready);
    scout_return(told.scout, season, "", "");
}

static void start(const char *url)
{
    const struct scout_options options = {
        .url = url, .folder = "/tmp", .tier = TIER, .seen_fn = seen, .ready_fn = ready};

    told.loop = ev_loop_new(EVFLAG_AUTO);
    told.scout = scout_create(told.loop, &options);
    cr_assert_not_null(told.scout);
}

static void stop(void)
{
    scout_destroy(told.scout);
    ev_loop_destroy(told.loop);
}

/* Waits for so many looks more. */
static void look(int count)
{
    for (int until = told.look_count + count; told.look_count < until;)
        ev_run(told.loop, 0);
}

static void create(void)
{
    unsetenv("STORE_TEST_BACKEND"); /* it opens the store anew, by its URL */
    fixture_create(&fixture);
}

static void destroy(void)
{
    fixture_remove(&fixture);
}

TestSuite(scout, .timeout = 120, .init = create, .fini = destroy);

static struct store_season add_season(const char *name, int tier)
{
    struct store_opening opening = {.seed = {1}, .commitment = COMMITMENT};
    struct store_season season = {.player_counts = {2},
                                  .player_count_count = 1,
                                  .clock = {1000, 10000, 0, 5000},
                                  .play = {.memory_bytes = 1 << 26, .tier = tier},
                                  .budget_games = 100};

    snprintf(season.name, sizeof season.name, "%s", name);
    cr_assert_eq(store_season_add(fixture.store, &season, &opening), 0, "%s",
                 store_failure(fixture.store));
    return season;
}

Test(scout, a_store_that_does_not_open_is_told)
{
    start("sqlite:/no/such/folder/arena.db");
    look(2);
    cr_expect(strstr(told.view.error, "/no/such/folder"), "%s", told.view.error);
    stop();
}

Test(scout, closed_seasons_leave_room_for_others)
{
    char name[32];

    start(store_url(fixture.store));
    for (int batch = 0; batch < 3; batch++) {
        int64_t ids[100];

        for (int i = 0; i < 100; i++) {
            snprintf(name, sizeof name, "s-%d-%d", batch, i);
            ids[i] = add_season(name, 0).id;
        }
        while (told.ready_count < (batch + 1) * 100)
            look(1);
        for (int i = 0; i < 100; i++)
            cr_assert_eq(store_season_close(fixture.store, ids[i], 1), 0);
        look(2);
    }
    add_season("last", 0);
    while (strcmp(told.ready, "last") != 0 || told.view.season_count != 1) /* else the timeout */
        look(1);
    stop();
}

Test(scout, what_a_season_waits_for_is_in_view)
{
    add_season("strong", TIER + 1);
    add_season("shared", 0);
    start(store_url(fixture.store));
    look(4);
    cr_assert_eq(told.view.season_count, 2);
    cr_expect_str_neq(told.view.seasons[0].lack, "");
    cr_expect_str_eq(told.view.seasons[1].lack, "");
    cr_expect_str_eq(told.ready, "shared");
    cr_expect_str_eq(told.view.error, "");
    stop();
}

Test(scout, a_season_is_seen_before_it_begins)
{
    struct store_season season = add_season("later", 0);

    season.from_us = clock_time_us() + INT64_C(3600000000);
    cr_assert_eq(store_season_date(fixture.store, &season, 0), 0);
    start(store_url(fixture.store));
    look(2);
    cr_assert_eq(told.view.season_count, 1);
    cr_expect_eq(told.view.seasons[0].terms.from_us, season.from_us);
    cr_expect_eq(told.ready_count, 0);
    season.from_us = 1;
    cr_assert_eq(store_season_date(fixture.store, &season, 0), 0);
    while (told.ready_count == 0)
        look(1);
    cr_expect_eq(told.view.seasons[0].terms.from_us, 1);
    stop();
}

Test(scout, seasons_for_which_there_is_no_room_are_counted)
{
    char name[32];

    for (int i = 0; i < SCOUT_SEASONS_MAX + 2; i++) {
        snprintf(name, sizeof name, "s-%d", i);
        add_season(name, TIER + 1); /* too strong to be played here */
    }
    start(store_url(fixture.store));
    look(1);
    cr_expect_eq(told.view.season_count, SCOUT_SEASONS_MAX);
    cr_expect_eq(told.view.left_out_count, 2);
    stop();
}

static int64_t add_submission(int number, const char *author)
{
    static const uint8_t package[] = "not looked into";
    struct store_submission submission = {.sha256 = FIXTURE_COMMITMENT, .received_us = 1 + number};

    snprintf(submission.name, sizeof submission.name, "bot-%s", author);
    snprintf(submission.version, sizeof submission.version, "%d", number);
    snprintf(submission.author, sizeof submission.author, "%s", author);
    cr_assert_eq(store_submission_add(fixture.store, &submission,
                                      (struct store_package){package, sizeof package}),
                 0, "%s", store_failure(fixture.store));
    return submission.id;
}

Test(scout, each_author_has_one_submission_in_view)
{
    for (int i = 0; i < SCOUT_SUBMISSIONS_MAX + 6; i++)
        add_submission(i, "ann");
    add_submission(SCOUT_SUBMISSIONS_MAX + 6, "eve");
    start(store_url(fixture.store));
    look(1);
    cr_expect_eq(told.view.submission_count, SCOUT_SUBMISSIONS_MAX + 7);
    cr_assert_eq(told.view.listed_count, 2);
    cr_expect_str_eq(told.view.submissions[0].author, "ann");
    cr_expect_eq(told.view.submissions[0].id, 1, "the oldest");
    cr_expect_str_eq(told.view.submissions[1].author, "eve");
    stop();
}

/* Else as many packages that fail the arena would stop all admissions. */
Test(scout, submissions_that_fail_the_arena_take_no_place_in_view)
{
    int64_t ids[SCOUT_SUBMISSIONS_MAX];
    char author[16];

    for (int i = 0; i < SCOUT_SUBMISSIONS_MAX; i++) {
        snprintf(author, sizeof author, "a%d", i);
        ids[i] = add_submission(i, author);
    }
    add_submission(SCOUT_SUBMISSIONS_MAX, "a0");
    add_submission(SCOUT_SUBMISSIONS_MAX + 1, "eve");
    start(store_url(fixture.store));
    look(1);
    cr_expect_eq(told.view.listed_count, SCOUT_SUBMISSIONS_MAX);
    for (int i = 0; i < SCOUT_SUBMISSIONS_MAX; i++)
        scout_submission_failed(told.scout, ids[i]);
    while (told.view.failure_count < SCOUT_SUBMISSIONS_MAX)
        look(1);
    cr_expect_eq(told.view.submission_count, SCOUT_SUBMISSIONS_MAX + 2);
    cr_assert_eq(told.view.listed_count, 2);
    cr_expect_str_eq(told.view.submissions[0].author, "eve", "authors take turns");
    cr_expect_str_eq(told.view.submissions[1].author, "a0", "another one of that author");
    stop();
}

static int expect_waiting(void *context, const struct store_submission *submission)
{
    ++*(int *)context;
    cr_expect_eq(submission->state, STORE_WAITING);
    cr_expect_gt(submission->retry_us, submission->since_us);
    cr_expect_not_null(
        strstr(submission->report ? submission->report : "none",
               "{\"reason\":\"the arena failed to build and check the bot (attempt 7 of 8): the "
               "arena tries again at 20"));
    /* Each wait is twice the one before. */
    cr_expect_leq(submission->retry_us, clock_time_us() + 64 * SCOUT_RETRY_S * INT64_C(1000000));
    cr_expect_gt(submission->retry_us, clock_time_us() + 60 * SCOUT_RETRY_S * INT64_C(1000000));
    return 0;
}

static int expect_refused(void *context, const struct store_submission *submission)
{
    ++*(int *)context;
    cr_expect_eq(submission->state, STORE_REFUSED);
    cr_expect_str_eq(submission->report,
                     "{\"reason\":\"the arena failed to build and check the bot in all attempts (8 "
                     "of 8): submit the bot again later\",\"may_retry\":true}");
    return 0;
}

Test(scout, a_submission_is_tried_a_bounded_number_of_times)
{
    int64_t id = add_submission(0, "ann");
    int count = 0;

    start(store_url(fixture.store));
    look(1);
    for (int i = 1; i < SCOUT_ATTEMPTS_MAX; i++)
        scout_submission_failed(told.scout, id);
    look(2);
    cr_expect_eq(told.view.submission_count, 1);
    cr_assert_eq(store_submissions_each(fixture.store, expect_waiting, &count), 0);
    scout_submission_failed(told.scout, id);
    while (told.view.submission_count > 0)
        look(1);
    cr_assert_eq(store_submissions_each(fixture.store, expect_refused, &count), 0);
    cr_expect_eq(count, 2);
    stop();
}

/* Anything that the site shows changes the mark, and nothing else does. */
Test(scout, news_change_the_mark)
{
    struct store_season season = add_season("cup", 0);
    uint64_t before;

    fixture_fill(&fixture, 0);
    start(store_url(fixture.store));
    look(3);
    before = told.view.mark;
    look(2);
    cr_expect_eq(told.view.mark, before, "nothing has changed");
    cr_assert_eq(store_season_extend(fixture.store, season.id, 10), 0);
    look(3);
    cr_expect_neq(told.view.mark, before, "the budget");
    before = told.view.mark;
    cr_assert_eq(store_season_close(fixture.store, season.id, 5), 0);
    look(2);
    cr_expect_neq(told.view.mark, before, "the close");
    stop();
}
