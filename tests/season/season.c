/* SPDX-License-Identifier: MIT */
/*
 * Whole seasons of fake bots: the same bytes however they are driven, and the rules that the
 * schedule promises.
 */
#include <criterion/criterion.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/golden.h"
#include "tests/season/fake.h"

static const struct fake_bot field[] = {
    {"ant", "1", "ada", 12, FAKE_HONEST}, {"bee", "1", "ada", 9, FAKE_HONEST},
    {"cat", "1", "ben", 6, FAKE_HONEST},  {"dog", "1", "cy", 3, FAKE_HONEST},
    {"eel", "1", "di", 0, FAKE_RECOVERS}, {"fox", "1", "eve", 5, FAKE_CRASHES},
    {"bee", "2", "ada", 14, FAKE_HONEST}, {"gnu", "1", "ada", 7, FAKE_HONEST},
};

enum {
    FIRST_BOTS = 6, /* of the field, from the start on */
};

static const struct store_season plain = {
    .player_counts = {2}, .player_count_count = 1, .budget_games = 120};
static const struct store_season mixed = {.player_counts = {2, 3, 4},
                                          .player_count_count = 3,
                                          .board = STORE_BOARD_BOTH,
                                          .budget_games = 200};

static struct fake fake;
static struct season season; /* loaded by load() */

static void create(void)
{
    fake_create(&fake, field, FIRST_BOTS);
}

static void finish(void)
{
    season_finish(&season);
    fake_remove(&fake);
}

static void load(const char *name)
{
    season_finish(&season);
    cr_assert_eq(season_load(&season, fake.store, name), 0, "%s", store_failure(fake.store));
}

TestSuite(season, .init = create, .fini = finish);

Test(season, is_one_golden_file)
{
    char *text;

    fake_season(&fake, "golden", &mixed);
    cr_expect_eq(fake_run(&fake, "golden", (struct fake_drive){.jobs = 1}), SEASON_SPENT);
    text = fake_describe(&fake, "golden");
    golden_expect("season.txt", text);
    free(text);
}

Test(season, is_the_same_when_it_is_dealt)
{
    static const int64_t games[] = {1, 7, 1000};

    for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
        char name[32];
        char *text;

        snprintf(name, sizeof name, "dealt-%zu", i);
        fake_season(&fake, name, &mixed);
        cr_expect_eq(fake_deal(&fake, name, games[i]), SEASON_SPENT);
        text = fake_describe(&fake, name);
        golden_expect("season.txt", text);
        free(text);
    }
}

/* Changes the driver, and twice the bots, at a point that the schedule knows. */
static char *drive(const char *name, const struct store_season *terms, struct fake_drive way)
{
    fake_season(&fake, name, terms);
    cr_expect_eq(fake_run(&fake, name, way), SEASON_SPENT);
    return fake_describe(&fake, name);
}

Test(season, does_not_depend_on_jobs_order_or_kills)
{
    static const struct fake_drive ways[] = {
        {.jobs = 4},
        {.jobs = 16, .disorder = 1},
        {.jobs = 1, .reload_every = 1},
        {.jobs = 4, .disorder = 99, .reload_every = 7},
        {.jobs = 8, .disorder = 5, .reload_every = 3},
    };
    const struct store_season *terms[] = {&plain, &mixed};

    for (size_t t = 0; t < 2; t++) {
        char name[32], *reference;

        snprintf(name, sizeof name, "reference-%zu", t);
        reference = drive(name, terms[t], (struct fake_drive){.jobs = 1});
        for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
            char *text;

            snprintf(name, sizeof name, "way-%zu-%zu", t, i);
            text = drive(name, terms[t], ways[i]);
            cr_expect(strcmp(text, reference) == 0, "row %zu.%zu differs:\n%s\nfrom\n%s", t, i,
                      text, reference);
            free(text);
        }
        free(reference);
    }
    cr_expect_eq(store_check(fake.store), 0);
}

Test(season, budget_is_rounded_up_to_whole_groups)
{
    static const struct store_season terms = {
        .player_counts = {4}, .player_count_count = 1, .budget_games = 21};

    fake_season(&fake, "four", &terms);
    cr_expect_eq(fake_run(&fake, "four", (struct fake_drive){.jobs = 3, .disorder = 1}),
                 SEASON_SPENT);
    load("four");
    cr_expect_eq(season.schedule.game_count, 24);
    cr_expect_eq(season.schedule.played_count, 24);
}

Test(season, that_can_seat_no_table_says_so)
{
    static const struct store_season terms = {
        .player_counts = {2}, .player_count_count = 1, .budget_games = 10};
    struct season_game game;

    for (int i = 0; i < FIRST_BOTS - 1; i++)
        cr_assert_eq(store_bot_retire(fake.store, field[i].name, 5), 0);
    fake_season(&fake, "alone", &terms);
    load("alone");
    cr_expect_eq(season_next(&season, &game), -EDOM);
}

static int count_groups_of(const char *name, int from_batch)
{
    int count = 0;

    for (int i = 0; i < season.schedule.group_count; i++)
        for (int seat = 0; seat < season.schedule.groups[i].player_count; seat++)
            count += season.schedule.groups[i].batch >= from_batch &&
                     strcmp(season.roster.members[season.schedule.groups[i].base[seat]].bot.name,
                            name) == 0;
    return count;
}

Test(season, who_only_crashes_plays_now_and_then)
{
    int batches, of_crasher;

    fake_season(&fake, "plain", &plain);
    fake_run(&fake, "plain", (struct fake_drive){.jobs = 1});
    load("plain");
    batches = season.schedule.batch_count - 2; /* its crashes are known from the third on */
    of_crasher = count_groups_of("fox", 2);
    cr_expect_gt(batches, 4);
    cr_expect_geq(of_crasher, 1, "it is not forgotten");
    cr_expect_leq(of_crasher, batches / 4 + 1, "%d groups in %d batches", of_crasher, batches);
    cr_expect_gt(count_groups_of("eel", 2), 2 * of_crasher, "who recovers is back");
}

Test(season, takes_a_new_version_from_its_next_batch)
{
    int last = 0;
    char *text;

    fake_season(&fake, "plain", &plain);
    fake_run(&fake, "plain", (struct fake_drive){.jobs = 1, .games = 50});
    load("plain");
    last = season.schedule.batch_count - 1;
    fake_submit(&fake, &field[6]); /* bee 2 */
    fake_submit(&fake, &field[7]); /* gnu, new */
    fake_run(&fake, "plain", (struct fake_drive){.jobs = 3, .disorder = 3});
    load("plain");
    cr_assert_eq(season.roster.count, 8);
    cr_expect_str_eq(season.roster.members[6].bot.version, "2");
    cr_expect_eq(season.roster.members[6].previous, 1);
    cr_expect_eq(season.roster.members[6].batch, last + 1);
    for (int i = 0; i < season.schedule.group_count; i++)
        for (int seat = 0; seat < 2; seat++) {
            int entry = season.schedule.groups[i].base[seat];

            if (season.schedule.groups[i].batch > last)
                cr_expect_neq(entry, 1, "the old version plays on in group %d", i);
            else
                cr_expect_lt(entry, 6, "the new one plays too early in group %d", i);
        }
    cr_expect_geq(count_groups_of("gnu", last + 1), 5);
    text = fake_describe(&fake, "plain");
    cr_expect(strstr(text, "bee 1") && strstr(text, "bee 2") && strstr(text, "replaced"));
    free(text);
}

Test(season, a_probation_follows_the_name)
{
    static const struct fake_bot next = {"fox", "2", "eve", 5, FAKE_HONEST};
    struct fake_bot bots[FIRST_BOTS + 1];

    memcpy(bots, field, FIRST_BOTS * sizeof *bots);
    bots[FIRST_BOTS] = next;
    fake.bots = bots;
    fake_season(&fake, "plain", &plain);
    fake_run(&fake, "plain", (struct fake_drive){.jobs = 1, .games = 60});
    fake_submit(&fake, &next);
    fake_run(&fake, "plain", (struct fake_drive){.jobs = 1, .games = 20});
    load("plain");
    cr_expect_leq(count_groups_of("fox", season.schedule.batch_count - 2), 1);
    fake_run(&fake, "plain", (struct fake_drive){.jobs = 1});
    load("plain");
    cr_expect_not(probation_holds(&season.schedule.entries[5].probation),
                  "it behaves, and is let off");
}

Test(season, plays_until_decided)
{
    static const struct fake_bot apart[] = {{"ant", "1", "a", 12, FAKE_HONEST},
                                            {"bee", "1", "b", 0, FAKE_HONEST}};
    static const struct store_season terms = {.player_counts = {2},
                                              .player_count_count = 1,
                                              .budget_games = 100000,
                                              .until_decided = true};
    int batches;

    fake_remove(&fake);
    fake_create(&fake, apart, 2);
    fake_season(&fake, "duel", &terms);
    cr_expect_eq(fake_run(&fake, "duel", (struct fake_drive){.jobs = 2, .disorder = 1}),
                 SEASON_DECIDED);
    load("duel");
    batches = season.schedule.batch_count;
    cr_expect_lt(season.schedule.game_count, 200);
    /* Run again, it returns the same and plays nothing. */
    cr_expect_eq(fake_run(&fake, "duel", (struct fake_drive){.jobs = 1}), SEASON_DECIDED);
    load("duel");
    cr_expect_eq(season.schedule.batch_count, batches);
}

Test(season, is_decided_without_reference_bots)
{
    static const struct fake_bot level[] = {{"ant", "1", "a", 12, FAKE_HONEST, false},
                                            {"bee", "1", "b", 0, FAKE_HONEST, false},
                                            {"cat", "1", "c", 0, FAKE_HONEST, true},
                                            {"dog", "1", "d", 0, FAKE_HONEST, true}};
    static const struct store_season terms = {
        .player_counts = {2}, .player_count_count = 1, .budget_games = 600, .until_decided = true};

    fake_remove(&fake);
    fake_create(&fake, level, 4);
    fake_season(&fake, "level", &terms);
    cr_expect_eq(fake_run(&fake, "level", (struct fake_drive){.jobs = 1}), SEASON_DECIDED,
                 "that two reference bots are equal keeps no season open");
}

Test(season, reference_bots_of_one_organizer_meet)
{
    static const struct fake_bot small[] = {{"ant", "1", "a", 12, FAKE_HONEST, false},
                                            {"bee", "1", "o", 0, FAKE_HONEST, true},
                                            {"cat", "1", "o", 0, FAKE_HONEST, true},
                                            {"dog", "1", "o", 0, FAKE_HONEST, false}};
    static const struct store_season terms = {
        .player_counts = {4}, .player_count_count = 1, .budget_games = 4};
    struct roster_counts counts;
    struct store_season stored;

    fake_remove(&fake);
    fake_create(&fake, small, 4);
    fake_season(&fake, "small", &terms);
    cr_assert_eq(store_season_find(fake.store, "small", &stored), 0);
    cr_assert_eq(roster_count(fake.store, &stored, &counts), 0);
    cr_expect_eq(counts.author_count, 4, "%d", counts.author_count);
    cr_expect_eq(fake_run(&fake, "small", (struct fake_drive){.jobs = 1}), SEASON_SPENT);
}

/* Recomputes every game's seed from the opening named in its row. */
struct recomputing {
    struct store_opening openings[4];
    int opening_count, counts[4];
    uint8_t seeds[512][GAME_SEED_BYTES];
    int seed_count;
};

static int take_opening(void *context, const struct store_opening *opening)
{
    struct recomputing *all = context;

    all->openings[all->opening_count++] = *opening;
    return 0;
}

static int recompute_seed(void *context, const struct store_game *game)
{
    struct recomputing *all = context;
    uint8_t seed[GAME_SEED_BYTES];

    cr_assert_lt(game->opening, all->opening_count);
    seed_of_game(all->openings[game->opening].seed, game->group, game->rotation, seed);
    cr_expect_arr_eq(game->seed, seed, sizeof seed, "game %d of group %d", game->rotation,
                     game->group);
    for (int i = 0; i < all->seed_count; i++)
        cr_expect(memcmp(all->seeds[i], seed, sizeof seed) != 0, "two games of one seed");
    memcpy(all->seeds[all->seed_count++], seed, sizeof seed);
    all->counts[game->opening]++;
    return 0;
}

Test(season, every_game_has_a_seed_of_its_own_from_its_opening)
{
    struct recomputing all = {.opening_count = 0};

    fake_season(&fake, "plain", &plain);
    for (int64_t part = 0; part < 3; part++) { /* closed in mid-group, with games under way */
        fake_run(&fake, "plain", (struct fake_drive){.jobs = 5, .disorder = 3, .games = 21});
        load("plain");
        cr_assert_eq(store_season_close(fake.store, season.terms.id, 9), 0);
        cr_assert_eq(season_reopen(fake.store, &season.terms, 120, NULL, 10), 0);
    }
    cr_expect_eq(fake_run(&fake, "plain", (struct fake_drive){.jobs = 4}), SEASON_SPENT);
    load("plain");
    cr_assert_eq(store_openings_each(fake.store, season.terms.id, take_opening, &all), 0);
    cr_assert_eq(store_games_verify(fake.store, season.terms.id, 0, STORE_ALL_GROUPS, NULL,
                                    recompute_seed, &all),
                 0);
    cr_expect_eq(all.seed_count, 120);
    for (int i = 0; i < 3; i++)
        cr_expect_eq(all.counts[i], 21);
}

/* The league goes on beside its backup, and publishes its seed when it is closed. */
Test(season, a_backup_that_is_put_back_goes_on_under_a_seed_of_its_own)
{
    struct store *copy;
    struct season before, after;
    struct season_game game, again;
    char path[128], url[160];

    fake_season(&fake, "plain", &plain);
    fake_run(&fake, "plain", (struct fake_drive){.jobs = 1, .games = 41});
    snprintf(path, sizeof path, "%s/backup", fake.home);
    snprintf(url, sizeof url, "sqlite:%s", path);
    cr_assert_eq(store_backup(fake.store, path), 0, "%s", store_failure(fake.store));
    cr_assert_eq(store_open(&copy, url, STORE_WRITE), 0);
    cr_assert_eq(season_load(&before, fake.store, "plain"), 0);
    cr_assert_eq(season_load(&after, copy, "plain"), 0);
    cr_assert_eq(season_next(&before, &game), SEASON_GAME);
    cr_assert_eq(season_next(&after, &again), SEASON_GAME);
    cr_expect_eq(game.opening, 0);
    cr_expect_eq(again.opening, 1);
    cr_expect_str_eq(again.id, game.id, "the schedule goes on where it was");
    cr_expect(memcmp(again.seed, game.seed, sizeof game.seed) != 0, "but not under the same seed");
    cr_expect_eq(after.terms.budget_games, before.terms.budget_games);
    cr_expect_not(after.opening.copied);
    season_finish(&before);
    season_finish(&after);
    cr_expect_eq(store_check(copy), 0);
    store_close(copy);
}
