/* Waiting submissions: stored, resumed, ended once. */
#include <criterion/criterion.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "arena/store/submissions.h"
#include "tests/store/fixture.h"

static struct fixture fixture;

static void create(void)
{
    fixture_create(&fixture);
    fixture_fill(&fixture, 1);
}

static void finish(void)
{
    fixture_remove(&fixture);
}

TestSuite(submissions, .init = create, .fini = finish);

static int add(const char *name)
{
    struct store_submission submission = {.version = "1", .author = "someone", .received_us = 7};

    strcpy(submission.name, name);
    memset(submission.sha256, *name, STORE_HASH_DIGITS);
    if (store_submission_add(fixture.store, &submission,
                             (struct store_package){(const uint8_t *)name, strlen(name)}) < 0)
        return -1;
    return (int)submission.id;
}

struct found {
    int64_t wanted;
    struct store_submission submission;
    char report[64];
    int count;
};

static int find(void *context, const struct store_submission *submission)
{
    struct found *found = context;

    found->count++;
    if (submission->id == found->wanted) {
        found->submission = *submission;
        if (submission->report)
            strcpy(found->report, submission->report);
    }
    return 0;
}

static struct found look(int64_t id)
{
    struct found found = {.wanted = id};

    cr_assert_eq(store_submissions_each(fixture.store, find, &found), 0);
    return found;
}

Test(submissions, are_numbered_in_order_and_keep_their_package)
{
    uint8_t *package;
    size_t size;

    cr_assert_eq(add("c"), 1);
    cr_assert_eq(add("d"), 2);
    fixture_reopen(&fixture, STORE_WRITE);
    cr_expect_eq(look(2).count, 2);
    cr_expect_str_eq(look(2).submission.name, "d");
    cr_expect_eq(look(2).submission.state, STORE_RECEIVED);
    cr_expect_eq(look(2).submission.received_us, 7);
    cr_assert_eq(store_package_read(fixture.store, look(2).submission.sha256, &package, &size), 0);
    cr_expect(size == 1 && package[0] == 'd');
    free(package);
}

Test(submissions, are_taken_up_again_after_a_crash)
{
    int id = add("c");

    cr_assert_eq(store_submission_advance(fixture.store, id, STORE_BUILDING, 10), 0);
    cr_assert_eq(store_submission_advance(fixture.store, id, STORE_CHECKING, 11), 0);
    cr_assert_eq(store_submission_advance(fixture.store, id, STORE_BUILDING, 20), 0);
    cr_expect_eq(look(id).submission.state, STORE_BUILDING);
    cr_expect_eq(look(id).submission.building_us, 20);
    cr_expect_eq(look(id).submission.checking_us, 0);
}

Test(submissions, end_once)
{
    int refused = add("c"), admitted = add("d");

    cr_assert_eq(store_submission_advance(fixture.store, admitted, STORE_CHECKING, 11), 0);
    cr_assert_eq(store_submission_end(fixture.store, refused, 0, "{}", 30), 0);
    cr_assert_eq(store_submission_end(fixture.store, admitted, 1, "{\"a\":1}", 31), 0);
    cr_assert_eq(add("e"), 3);
    {
        struct found found = {.wanted = 3};

        cr_assert_eq(store_submissions_open_each(fixture.store, find, &found), 0);
        cr_expect(found.count == 1 && found.submission.id == 3, "only the open one");
    }
    cr_expect_eq(look(refused).submission.state, STORE_REFUSED);
    cr_expect_eq(look(admitted).submission.state, STORE_ADMITTED);
    cr_expect_eq(look(admitted).submission.bot_id, 1);
    cr_expect_eq(look(admitted).submission.checking_us, 11);
    cr_expect_eq(look(admitted).submission.ended_us, 31);
    cr_expect_str_eq(look(admitted).report, "{\"a\":1}");
    cr_expect_eq(store_submission_end(fixture.store, refused, 2, "{}", 40), -ECANCELED);
    cr_expect_eq(store_submission_advance(fixture.store, refused, STORE_BUILDING, 40), -ECANCELED);
    cr_expect_str_eq(store_failure(fixture.store), "submission 1 has already ended");
    cr_expect_eq(store_submission_end(fixture.store, 9, 0, "{}", 40), -ENOENT);
    cr_expect_eq(look(refused).submission.ended_us, 30);
}

Test(submissions, an_end_is_part_of_the_callers_transaction)
{
    int id = add("c");

    cr_assert_eq(store_begin(fixture.store), 0);
    cr_assert_eq(store_submission_end(fixture.store, id, 1, "{}", 30), 0);
    store_rollback(fixture.store);
    cr_expect_eq(look(id).submission.state, STORE_RECEIVED);
}
