/* SPDX-License-Identifier: MIT */
/* Organizers' changes in the store: events, batches, bans, rosters, terms. */
#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/store/fixture.h"

static struct fixture fixture;

static void create(void)
{
    fixture_create(&fixture);
    fixture_fill(&fixture, 2);
}

static void finish(void)
{
    fixture_remove(&fixture);
}

TestSuite(control, .init = create, .fini = finish);

static int count(void *context, const struct store_batch *batch)
{
    (void)batch;
    ++*(int *)context;
    return 0;
}

static int count_batches(void)
{
    int batches = 0;

    cr_assert_eq(store_batches_each(fixture.store, fixture.season.id, count, &batches), 0);
    return batches;
}

static int add_batch(int64_t event)
{
    const struct store_batch batch = {.number = 1,
                                      .event = event,
                                      .meeting_sizes = 4,
                                      .connection = store_connection(fixture.store)};
    const struct store_group group = {.number = 2, .batch = 1, .player_count = 2, .base = {0, 1}};

    return store_batch_add(fixture.store, fixture.season.id, &batch, NULL, 0, &group, 1);
}

Test(control, a_batch_that_was_chosen_before_a_change_is_not_kept)
{
    int64_t event;

    cr_assert_eq(store_event_latest(fixture.store, &event), 0);
    cr_assert_eq(store_bot_retire(fixture.store, "first", 3), 0);
    cr_expect_eq(add_batch(event), -ESTALE);
    cr_expect_eq(count_batches(), 1);
    cr_assert_eq(store_event_latest(fixture.store, &event), 0);
    cr_expect_eq(add_batch(event), 0);
    cr_expect_eq(count_batches(), 2);
}

Test(control, a_batch_of_a_closed_opening_is_not_kept)
{
    int64_t event;

    cr_assert_eq(store_season_close(fixture.store, fixture.season.id, 3), 0);
    cr_assert_eq(store_event_latest(fixture.store, &event), 0);
    cr_expect_eq(add_batch(event), -ECANCELED);
    cr_expect_eq(count_batches(), 1);
}

static int take_event(void *context, const struct store_event *event)
{
    char *text = context;

    strcat(strcat(strcat(text, event->what), event->about[0] ? " " : ""), event->about);
    strcat(text, event->season_id ? ";" : " everywhere;");
    return 0;
}

/* A season that no listing would take as sound could be neither read nor mended. */
Test(control, a_budget_stays_within_its_bound)
{
    struct store_opening second = {.number = 1, .opened_us = 3};
    struct store_season season;
    int64_t id = fixture.season.id, left = STORE_BUDGET_GAMES_MAX - fixture.season.budget_games;

    memset(second.commitment, 'c', STORE_HASH_DIGITS);
    cr_expect_eq(store_season_extend(fixture.store, id, STORE_BUDGET_GAMES_MAX), -ERANGE);
    cr_expect_str_eq(store_failure(fixture.store),
                     "a season's budget is at most 1000000000 games: add fewer games");
    cr_expect_eq(store_season_extend(fixture.store, id, left + 1), -ERANGE);
    cr_assert_eq(store_season_find(fixture.store, fixture.season.name, &season), 0, "%s",
                 store_failure(fixture.store));
    cr_expect_eq(season.budget_games, fixture.season.budget_games);
    cr_expect_eq(store_season_extend(fixture.store, id, left), 0);
    cr_assert_eq(store_season_close(fixture.store, id, 6), 0);
    cr_expect_eq(
        store_season_reopen(fixture.store, id, (int64_t)STORE_BUDGET_GAMES_MAX + 1, &second),
        -ERANGE);
    cr_assert_eq(store_season_find(fixture.store, fixture.season.name, &season), 0);
    cr_expect(season.closed_us != 0);
}

/* A reopened season whose until_us is past would be closed again at once. */
Test(control, dates_change_while_a_season_is_open)
{
    struct store_opening second = {.number = 1, .opened_us = 5000000};
    struct store_season season = fixture.season;
    char text[1024] = "";

    memset(second.commitment, 'c', STORE_HASH_DIGITS);
    season.from_us = 1;
    cr_expect_eq(store_season_date(fixture.store, &season, 0), -EEXIST, "the season has begun");
    season.from_us = 0;
    season.deadline_us = 86400000000;
    season.until_us = 4000000;
    cr_assert_eq(store_season_date(fixture.store, &season, 0), 0);
    cr_assert_eq(store_season_find(fixture.store, season.name, &season), 0);
    cr_expect_eq(season.deadline_us, 86400000000);
    cr_expect_eq(season.until_us, 4000000);
    cr_assert_eq(store_season_close(fixture.store, season.id, 4000000), 0);
    cr_expect_eq(store_season_date(fixture.store, &season, 0), -EEXIST);
    cr_assert_eq(store_season_reopen(fixture.store, season.id, 120, &second), 0);
    cr_assert_eq(store_season_find(fixture.store, season.name, &season), 0);
    cr_expect_eq(season.deadline_us, 86400000000);
    cr_expect_eq(season.until_us, 0);
    cr_assert_eq(store_events_each(fixture.store, season.id, take_event, text), 0);
    cr_expect_not_null(strstr(text,
                              "dates deadline 1970-01-02T00:00:00Z, until 1970-01-01T00:00:04Z;"
                              "close its --until is past;reopen budget 120 games, until none;"),
                       "%s", text);
}

Test(control, a_season_without_games_can_be_removed)
{
    int64_t id = fixture.season.id;
    struct store_season season;

    cr_expect_eq(store_season_remove(fixture.store, id), -EEXIST);
    cr_expect_str_eq(store_failure(fixture.store),
                     "season spring is open: `arena season close spring` closes the season first");
    cr_assert_eq(store_season_close(fixture.store, id, 6), 0);
    cr_assert_eq(store_season_remove(fixture.store, id), 0, "%s", store_failure(fixture.store));
    cr_expect_eq(store_season_find(fixture.store, fixture.season.name, &season), -ENOENT);
    cr_expect_eq(count_batches(), 0);
}

/* Two daemons see that the time of a season is over; meanwhile somebody may move the time. */
Test(control, a_season_ends_once_and_only_if_its_time_is_over)
{
    struct store_season *season = &fixture.season;
    char text[1024] = "";

    cr_assert_eq(store_season_end(fixture.store, season->id, 100, 10), 0, "without --until");
    season->until_us = 101;
    cr_assert_eq(store_season_date(fixture.store, season, 0), 0);
    cr_assert_eq(store_season_end(fixture.store, season->id, 100, 10), 0, "too early");
    for (int daemon = 0; daemon < 2; daemon++)
        cr_expect_eq(store_season_end(fixture.store, season->id, 110, 10), 0);
    for (int daemon = 0; daemon < 2; daemon++)
        cr_expect_eq(store_season_end(fixture.store, season->id, 120, 10), 0);
    cr_expect_eq(store_season_end(fixture.store, season->id + 1, 120, 10), 0, "a removed season");
    cr_assert_eq(store_events_each(fixture.store, season->id, take_event, text), 0);
    cr_expect(strstr(text, "dates until 1970-01-01T00:00:00Z;closing;close its --until is past;"),
              "%s", text);
    cr_expect_eq(strstr(text, "closing;closing"), NULL);
}

Test(control, every_change_is_an_event)
{
    struct store_opening second = {.number = 1, .opened_us = 3};
    const char *const names[] = {"first", "second"};
    int64_t id = fixture.season.id;
    char text[1024] = "";

    memset(second.commitment, 'c', STORE_HASH_DIGITS);
    cr_assert_eq(store_bot_retire(fixture.store, "first", 3), 0);
    cr_assert_eq(store_bot_unretire(fixture.store, "first"), 0);
    cr_assert_eq(store_ban_add(fixture.store, "first", NULL, false, 3), 0);
    cr_assert_eq(store_ban_add(fixture.store, "first", NULL, true, 3), 0);
    cr_assert_eq(store_ban_lift(fixture.store, "first", NULL, 4), 0);
    cr_assert_eq(store_ban_add(fixture.store, NULL, "someone", false, 3), 0);
    cr_assert_eq(store_roster_set(fixture.store, id, names, 2), 0);
    cr_assert_eq(store_season_extend(fixture.store, id, 11), 0);
    cr_assert_eq(store_season_begin_close(fixture.store, id, 5), 0);
    cr_assert_eq(store_season_begin_close(fixture.store, id, 6), 0);
    cr_assert_eq(store_season_go_on(fixture.store, id), 0);
    cr_assert_eq(store_season_close(fixture.store, id, 6), 0);
    cr_assert_eq(store_season_reopen(fixture.store, id, 120, &second), 0);
    cr_assert_eq(store_events_each(fixture.store, id, take_event, text), 0);
    cr_expect_str_eq(
        text, "submit first@1 everywhere;submit second@1 everywhere;new budget 100 games;"
              "retire first everywhere;unretire first everywhere;"
              "ban first everywhere;void first everywhere;"
              "unban first everywhere;ban author someone everywhere;roster only first,second;"
              "extend 11 games;closing;closing;reopen;close;reopen budget 120 games;");
}

struct told {
    char names[8192]; /* "a,b," */
    int count;
};

static int take_roster(void *context, const struct store_event *event)
{
    struct told *told = context;

    if (strcmp(event->what, "roster") != 0)
        return 0;
    cr_expect_eq(strncmp(event->about, told->count++ ? "and " : "only ", 4), 0);
    strcat(strcat(told->names, strchr(event->about, ' ') + 1), ",");
    return 0;
}

/* However many bots a roster names, its events name them all. */
Test(control, the_events_of_a_roster_name_every_bot)
{
    const char *list[200];
    struct told told = {.count = 0};
    char wanted[8192] = "";

    for (int i = 0; i < 200; i++) {
        list[i] = i % 3 ? "first" : "second";
        strcat(strcat(wanted, list[i]), ",");
    }
    cr_assert_eq(store_roster_set(fixture.store, fixture.season.id, list, 200), 0);
    cr_assert_eq(store_events_each(fixture.store, fixture.season.id, take_roster, &told), 0);
    cr_expect_str_eq(told.names, wanted);
    cr_expect_gt(told.count, 5);
}

Test(control, a_ban_holds_once_and_for_somebody)
{
    struct store_bot bot;

    cr_expect_eq(store_ban_add(fixture.store, "nobody", NULL, false, 3), -ENOENT);
    cr_expect_eq(store_ban_add(fixture.store, NULL, "a\n", false, 3), -EINVAL);
    cr_expect_eq(store_ban_lift(fixture.store, "first", NULL, 3), -EEXIST);
    cr_assert_eq(store_ban_add(fixture.store, "first", NULL, false, 3), 0);
    cr_expect_eq(store_ban_add(fixture.store, "first", NULL, false, 4), -EEXIST);
    cr_assert_eq(store_bot_find(fixture.store, "first", NULL, &bot), 0);
    cr_expect(bot.banned_us == 3 && !bot.voided);
    cr_assert_eq(store_ban_add(fixture.store, "first", NULL, true, 5), 0);
    cr_assert_eq(store_bot_find(fixture.store, "first", NULL, &bot), 0);
    cr_expect(bot.voided);
    cr_expect_eq(store_ban_add(fixture.store, "first", NULL, false, 6), -EEXIST);
    cr_assert_eq(store_bot_find(fixture.store, "second", NULL, &bot), 0);
    cr_expect_eq(bot.banned_us, 0);
    cr_assert_eq(store_ban_lift(fixture.store, "first", NULL, 7), 0);
    cr_assert_eq(store_bot_find(fixture.store, "first", NULL, &bot), 0);
    cr_expect(bot.banned_us == 0 && !bot.voided);
}

Test(control, an_author_is_banned_before_the_first_bot)
{
    const struct store_package package = {(const uint8_t *)"p", 1};
    struct store_bot bot = fixture_bot("new", "1");

    strcpy(bot.author, "Eve");
    cr_assert_eq(store_ban_add(fixture.store, NULL, "Eve", false, 3), 0);
    cr_expect_eq(store_ban_add(fixture.store, NULL, "Eve", false, 4), -EEXIST);
    cr_assert_eq(store_bot_add(fixture.store, &bot, package, package), 0);
    cr_expect_eq(bot.banned_us, 3);
    cr_assert_eq(store_ban_lift(fixture.store, NULL, "Eve", 5), 0);
    cr_assert_eq(store_bot_find(fixture.store, "new", NULL, &bot), 0);
    cr_expect_eq(bot.banned_us, 0);
}

static int take_name(void *context, const char *name)
{
    strcat(strcat(context, name), ";");
    return 0;
}

Test(control, a_roster_names_bots_that_there_are)
{
    const char *const good[] = {"second", "first", "second"}, *const bad[] = {"first", "nobody"};
    char text[128] = "";

    cr_assert_eq(store_roster_set(fixture.store, fixture.season.id, good, 3), 0);
    cr_expect_eq(store_roster_set(fixture.store, fixture.season.id, bad, 2), -ENOENT);
    cr_assert_eq(store_roster_each(fixture.store, fixture.season.id, take_name, text), 0);
    cr_expect_str_eq(text, "first;second;", "what could not be set left it as it was");
    text[0] = '\0';
    cr_assert_eq(store_roster_set(fixture.store, fixture.season.id, NULL, 0), 0);
    cr_assert_eq(store_roster_each(fixture.store, fixture.season.id, take_name, text), 0);
    cr_expect_str_eq(text, "");
}

/*
 * What store_season_count and store_season_pace say, before and after a ban that voids games, to
 * the process that plays the season: a store with a claim writes in transactions only.
 */
Test(control, a_season_is_counted_with_its_void_games)
{
    static const uint8_t replay[] = "bytes";
    struct store_season_counts counts;
    struct store_pace pace;

    cr_assert_eq(store_season_claim(fixture.store, "spring", true), 0);
    cr_assert_eq(store_season_pace(fixture.store, fixture.season.id, &pace), 0);
    cr_expect_eq(pace.last_us, 0);
    for (int rotation = 0; rotation < 2; rotation++) {
        struct store_game game = fixture_game(0, rotation);

        game.started_us = 5000000 + rotation * INT64_C(7200000000); /* two hours later */
        game.wall_us = 1000;
        cr_assert_eq(store_game_add(fixture.store, fixture.season.id, &game, replay, sizeof replay),
                     0, "%s", store_failure(fixture.store));
    }
    cr_assert_eq(store_season_pace(fixture.store, fixture.season.id, &pace), 0, "%s",
                 store_failure(fixture.store));
    cr_expect_eq(pace.game_count, 1);
    cr_expect_eq(pace.first_us, INT64_C(7205000000));
    cr_expect_eq(pace.last_us, INT64_C(7205001000));
    cr_assert_eq(store_season_count(fixture.store, fixture.season.id, &counts), 0);
    cr_expect(counts.scheduled == 4 && counts.played == 2);
    cr_expect(counts.void_scheduled == 0 && counts.void_played == 0);
    cr_assert_eq(store_ban_add(fixture.store, "first", NULL, true, 1), 0);
    cr_assert_eq(store_season_count(fixture.store, fixture.season.id, &counts), 0, "%s",
                 store_failure(fixture.store));
    cr_expect(counts.scheduled == 4 && counts.played == 2);
    cr_expect(counts.void_scheduled == 4 && counts.void_played == 2);
}
