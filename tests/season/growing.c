/* SPDX-License-Identifier: MIT */
/*
 * A season is read while somebody else plays it, and adds batches, entries and games between two
 * tables of the reader: the reader gets the season as it was when the reading began.
 */
#include <criterion/criterion.h>

#include <errno.h>
#include <string.h>

#include "arena/season/ladder.h"
#include "arena/store/sql.h"
#include "tests/season/fake.h"

static const struct fake_bot field[] = {
    {"ant", "1", "ada", 12, FAKE_HONEST}, {"bee", "1", "ben", 9, FAKE_HONEST},
    {"cat", "1", "cy", 6, FAKE_HONEST},   {"dog", "1", "di", 3, FAKE_HONEST},
    {"eel", "1", "eve", 1, FAKE_HONEST},
};

enum {
    FIRST_BOTS = 3,
};

static const struct store_season terms = {
    .player_counts = {2}, .player_count_count = 1, .budget_games = 60};

static struct fake fake;
static struct sql_driver interrupted;
static const char *interrupted_table; /* more is added after it was read */
static bool is_left_alone;            /* nothing is added any more */

/* Whoever plays the season goes on between two tables of the reader. */
static void go_on(void)
{
    if (is_left_alone)
        return;
    is_left_alone = true;
    fake_submit(&fake, &field[FIRST_BOTS]);
    fake_submit(&fake, &field[FIRST_BOTS + 1]);
    fake.bot_count += 2;
    cr_assert_eq(fake_run(&fake, "cup", (struct fake_drive){.jobs = 1}), SEASON_SPENT);
}

static void end_then_more(struct sql_rows *rows)
{
    bool is_read = strcmp(rows->table, interrupted_table) == 0;

    sqlite_driver.end(rows);
    if (is_read)
        go_on();
}

/* Opens the store of a season of which some games are played. */
static struct store *open_interrupted(const char *table)
{
    struct store *store;

    fake_create(&fake, field, FIRST_BOTS);
    fake_season(&fake, "cup", &terms);
    fake_run(&fake, "cup", (struct fake_drive){.jobs = 1, .games = 6});
    interrupted = sqlite_driver;
    interrupted.end = end_then_more;
    interrupted_table = table;
    is_left_alone = false;
    cr_assert_eq(store_open_driver(&store, &interrupted, fake.home, STORE_READ), 0);
    return store;
}

static void expect_as_before(const char *table)
{
    struct store *store = open_interrupted(table);
    struct season season;

    cr_expect_eq(season_load(&season, store, "cup"), 0, "%s", store_failure(store));
    cr_expect(is_left_alone, "nothing was added");
    cr_expect_eq(season.roster.count, FIRST_BOTS);
    cr_expect_geq(season.schedule.played_count, 6);
    season_finish(&season);
    store_close(store);
    fake_remove(&fake);
}

Test(growing, groups_of_bots_that_entered_meanwhile)
{
    expect_as_before("entry");
}

Test(growing, games_of_groups_that_were_added_meanwhile)
{
    expect_as_before("game_group");
}

Test(growing, games_of_bots_that_entered_meanwhile_on_the_ladder)
{
    struct store *store = open_interrupted("entry");
    struct standings standings;
    struct store_season season;

    cr_assert_eq(store_season_find(store, "cup", &season), 0);
    cr_expect_eq(standings_load(&standings, store, &season, LADDER_LIVE), 0, "%s",
                 store_failure(store));
    cr_expect_eq(standings.roster.count, FIRST_BOTS);
    standings_finish(&standings);
    store_close(store);
    fake_remove(&fake);
}

static int known_count;

static int count_known(void *context, const struct store_game *game)
{
    const struct season *season = context;
    const bool is_known = game->seats[0].entry < FIRST_BOTS && game->seats[1].entry < FIRST_BOTS;

    cr_expect_eq(roster_has_players(&season->roster, game), is_known);
    known_count += is_known;
    return 0;
}

/* Those of bots that the reader knows are told of, even if their groups were added meanwhile. */
Test(growing, games_of_batches_that_were_added_after_the_roster_was_loaded)
{
    struct store *store = open_interrupted("none");
    struct season season;

    cr_assert_eq(season_load_roster(&season, store, "cup"), 0, "%s", store_failure(store));
    go_on();
    cr_expect_eq(
        store_games_verify(store, season.terms.id, 0, STORE_ALL_GROUPS, NULL, count_known, &season),
        0);
    cr_expect_geq(known_count, 6);
    season_finish(&season);
    store_close(store);
    fake_remove(&fake);
}

static int failing_count; /* commits that still fail */

static int commit_later(struct store *store)
{
    return failing_count-- > 0 ? -EIO : sqlite_driver.commit(store);
}

/* A backup that is put back opens its season anew, in one transaction. */
Test(growing, a_commit_that_fails_leaves_a_store_that_goes_on)
{
    struct store *store;
    struct season season;
    struct season_game game;
    char path[128];

    fake_create(&fake, field, FIRST_BOTS);
    fake_season(&fake, "cup", &terms);
    snprintf(path, sizeof path, "%s/copy.db", fake.home);
    cr_assert_eq(store_backup(fake.store, path), 0, "%s", store_failure(fake.store));
    interrupted = sqlite_driver;
    interrupted.commit = commit_later;
    cr_assert_eq(store_open_driver(&store, &interrupted, path, STORE_WRITE), 0);
    cr_assert_eq(season_load(&season, store, "cup"), 0, "%s", store_failure(store));
    failing_count = 1;
    cr_expect_eq(season_next(&season, &game), -EIO);
    cr_expect_eq(season_next(&season, &game), SEASON_GAME, "%s", store_failure(store));
    cr_expect_eq(game.opening, 1);
    season_finish(&season);
    store_close(store);
    fake_remove(&fake);
}
