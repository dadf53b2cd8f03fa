/* SPDX-License-Identifier: MIT */
/* Upgrades of a store's schema, with steps that no version of the arena has. */
#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>

#include "arena/store/schema.h"
#include "tests/store/fixture.h"

enum {
    VERSION = STORE_SCHEMA_VERSION,
    NEXT = VERSION + 1,
    LAST = VERSION + 2
};

/* The servers have other words for a type. */
static const char column_sqlite[] =
    "ALTER TABLE season ADD COLUMN motto integer NOT NULL DEFAULT 7";
static const char column_postgres[] =
    "ALTER TABLE season ADD COLUMN motto bigint NOT NULL DEFAULT 7";
static const char fill_column[] =
    "UPDATE season SET motto = motto + 1; CREATE INDEX season_motto ON season (motto)";
static const char fails[] = "UPDATE season SET there_is_no_such_column = 1";

static const struct schema_upgrade good[LAST + 1] = {
    [NEXT] = {column_sqlite, column_postgres},
    [LAST] = {fill_column, fill_column},
};

static const struct schema_upgrade broken[LAST + 1] = {
    [NEXT] = {column_sqlite, column_postgres},
    [LAST] = {fails, fails},
};

static const struct schema_upgrade empty[LAST + 1] = {
    [NEXT] = {"", ""},
    [LAST] = {column_sqlite, column_postgres},
};

static struct fixture fixture;

static void fill(void)
{
    fixture_create(&fixture);
    fixture_fill(&fixture, 3);
}

static void tear_down(void)
{
    fixture_remove(&fixture);
}

static int64_t number(const char *text)
{
    int64_t number = -1;

    cr_assert_eq(sql_number(fixture.store, SQL(text), &number), 0, "%s",
                 store_failure(fixture.store));
    return number;
}

static bool season_has_motto(void)
{
    return sql_run(fixture.store, SQL("SELECT motto FROM season")) >= 0;
}

TestSuite(upgrades, .init = fill, .fini = tear_down, .timeout = 600);

Test(upgrades, every_step_is_taken_and_the_rows_stay)
{
    cr_assert_eq(schema_upgrade(fixture.store, good, LAST), 0, "%s", store_failure(fixture.store));
    cr_expect_eq(number("SELECT version FROM pavilion"), LAST);
    cr_expect_eq(number("SELECT motto FROM season"), 8);
    cr_expect_eq(number("SELECT count(*) FROM game_group"), 3);
}

Test(upgrades, a_step_may_be_empty)
{
    cr_assert_eq(schema_upgrade(fixture.store, empty, LAST), 0, "%s", store_failure(fixture.store));
    cr_expect_eq(number("SELECT motto FROM season"), 7);
}

/* What another arena did to the store since this one looked at its version. */
static const struct {
    int64_t version;
    int error;
    const char *line;
} meanwhile[] = {
    {LAST + 1, -ENOTSUP, "was made by a newer arena"},
    {-VERSION, -EBADMSG, "is an incomplete copy of another store"},
    {0, -ENOTSUP, "was made by an arena before 1.0"},
};

Test(upgrades, a_version_that_cannot_be_upgraded_is_left_alone_under_the_lock_too)
{
    for (size_t i = 0; i < sizeof meanwhile / sizeof *meanwhile; i++) {
        const int64_t version = meanwhile[i].version;

        cr_assert_eq(
            sql_run(fixture.store, SQL("UPDATE pavilion SET version = $1", sql_int(version))), 1);
        cr_expect_eq(schema_upgrade(fixture.store, good, LAST), meanwhile[i].error);
        cr_expect(strstr(store_failure(fixture.store), meanwhile[i].line), "%s",
                  store_failure(fixture.store));
        cr_expect_eq(number("SELECT version FROM pavilion"), version);
        cr_expect(!season_has_motto());
    }
}

Test(upgrades, a_step_that_fails_leaves_the_store_as_it_was)
{
    cr_assert_lt(schema_upgrade(fixture.store, broken, LAST), 0);
    cr_expect(!season_has_motto());
    cr_expect_eq(number("SELECT version FROM pavilion"), VERSION);
    cr_expect_eq(number("SELECT count(*) FROM game_group"), 3);
}

Test(upgrades, a_season_that_is_played_is_not_upgraded)
{
    struct store *player = fixture.store;

    cr_assert_eq(store_season_claim(player, "spring", false), 0);
    fixture.store = NULL;
    cr_assert_eq(fixture_try(&fixture, STORE_WRITE), 0);
    cr_expect_eq(schema_upgrade(fixture.store, good, LAST), -EBUSY);
    cr_expect(strstr(store_failure(fixture.store), "season spring is being played by"), "%s",
              store_failure(fixture.store));
    cr_expect_eq(number("SELECT version FROM pavilion"), VERSION);
    store_close(player);
    cr_expect_eq(schema_upgrade(fixture.store, good, LAST), 0, "%s", store_failure(fixture.store));
}

Test(upgrades, an_arena_whose_store_was_upgraded_writes_no_more)
{
    struct store_bot bot = fixture_bot("third", "1");
    const struct store_package package = {(const uint8_t *)"x", 1};

    cr_assert_eq(schema_upgrade(fixture.store, good, LAST), 0);
    cr_expect_eq(store_bot_add(fixture.store, &bot, package, package), -ENOTSUP);
    cr_expect(strstr(store_failure(fixture.store), "was upgraded by another arena"), "%s",
              store_failure(fixture.store));
    cr_expect_eq(number("SELECT count(*) FROM bot"), 2);
}

/* A newer arena's store, one from before version 1, whose version was a hash, and none. */
static const struct {
    const char *statement, *line;
} refused[] = {
    {"UPDATE pavilion SET version = version + 1", "was made by a newer arena"},
    {"UPDATE pavilion SET version = 3735928559", "was made by an arena before 1.0"},
    {"UPDATE pavilion SET version = 0", "was made by an arena before 1.0"},
};

Test(upgrades, a_store_of_no_version_that_this_arena_knows_is_left_alone)
{
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        cr_assert_eq(sql_run(fixture.store, SQL(refused[i].statement)), 1);
        store_close(fixture.store);
        cr_expect_eq(fixture_try(&fixture, STORE_WRITE), -ENOTSUP);
        cr_expect(strstr(store_failure(fixture.store), refused[i].line), "%s",
                  store_failure(fixture.store));
        cr_assert_eq(
            fixture.store->driver->execute(fixture.store, "UPDATE pavilion SET version = 1"), 0);
    }
}
