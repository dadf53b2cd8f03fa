/* SPDX-License-Identifier: MIT */
/* What a copy refuses: a store that somebody changes meanwhile, or with too many open seasons. */
#include "arena/store/copy.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "arena/store/schema.h"
#include "arena/store/submissions.h"
#include "tests/store/fixture.h"

enum {
    SEASONS = 1025, /* one more than a copy claims */
};

static struct fixture fixture;
static struct store *target;

static void create(void)
{
    char path[128];

    fixture_create(&fixture);
    fixture_fill(&fixture, 2);
    snprintf(path, sizeof path, "%s/target", fixture.home);
    cr_assert_eq(store_open(&target, path, STORE_CREATE), 0, "%s", store_failure(target));
}

static void finish(void)
{
    store_close(target);
    fixture_remove(&fixture);
}

TestSuite(copy, .init = create, .fini = finish, .timeout = 600);

/* One row per change that no event tells, made once all tables are copied. */
static const struct {
    const char *rule, *statement; /* NULL: a submission is handed in */
    const char *table;
} changes[] = {
    {"a submission", NULL, "submission"},
    {"another manifest", "UPDATE bot SET manifest = '{}  ' WHERE name = 'first'", "bot"},
    {"a removed event", "DELETE FROM event", "event"},
};

static const char *statement;

static void submit(void)
{
    struct store_submission submission = {
        .name = "late", .version = "1", .author = "someone", .received_us = 1};

    memset(submission.sha256, 'a', STORE_HASH_DIGITS);
    cr_assert_eq(store_submission_add(fixture.store, &submission,
                                      (struct store_package){(const uint8_t *)"p", 1}),
                 0, "%s", store_failure(fixture.store));
}

static void change(void *context, const struct copy_report *report)
{
    if (strcmp(report->table, schema_tables[TABLE_COUNT - 1].name) != 0)
        return;
    if (statement)
        cr_assert_geq(sql_run(fixture.store, SQL(statement)), 1, "%s",
                      store_failure(fixture.store));
    else
        submit();
}

static void ignore(void *context, const struct copy_report *report)
{
}

Test(copy, of_a_store_that_is_left_alone_is_made)
{
    cr_expect_eq(copy_store(target, fixture.store, ignore, NULL), 0, "%s", store_failure(target));
}

Test(copy, of_a_store_that_was_changed_is_refused_whatever_was)
{
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        struct store *writer = fixture.store, *source;
        char path[128];

        cr_assert_eq(fixture_try(&fixture, STORE_READ), 0);
        source = fixture.store;
        fixture.store = writer;
        statement = changes[i].statement;
        cr_expect_eq(copy_store(target, source, change, NULL), -ESTALE, "%s: %s", changes[i].rule,
                     store_failure(target));
        snprintf(path, sizeof path, "(table %s)", changes[i].table);
        cr_expect(strstr(store_failure(target), path), "%s: %s", changes[i].rule,
                  store_failure(target));
        store_close(source);
        store_close(target);
        snprintf(path, sizeof path, "%s/target-%zu", fixture.home, i);
        cr_assert_eq(store_open(&target, path, STORE_CREATE), 0, "%s", store_failure(target));
    }
}

Test(copy, of_more_open_seasons_than_it_claims_is_refused)
{
    struct store_opening opening = {.commitment = FIXTURE_COMMITMENT, .opened_us = 1};
    struct store_season season = fixture.season;
    struct copy_claims *claims;

    if (!fixture_has_server()) /* a thousand transactions wait for no disk */
        fixture.store->driver->execute(fixture.store, "PRAGMA synchronous = OFF");
    for (int i = 1; i < SEASONS; i++) {
        snprintf(season.name, sizeof season.name, "season-%d", i);
        cr_assert_eq(store_season_add(fixture.store, &season, &opening), 0, "%s",
                     store_failure(fixture.store));
    }
    cr_expect_eq(copy_claim(&claims, fixture.store), -EBUSY);
    cr_expect(strstr(store_failure(fixture.store), "has 1025 open seasons"), "%s",
              store_failure(fixture.store));
    copy_release(claims);
}
