/* SPDX-License-Identifier: MIT */
/* Waiting submissions: stored, resumed, ended once. */
#include <criterion/criterion.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "arena/store/authors.h"
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

/* Adds a submission whose package has the hash that its name begins with. */
static int add_of(const char *name, const char *author)
{
    struct store_submission submission = {.version = "1", .received_us = 7};
    int error;

    strcpy(submission.name, name);
    strcpy(submission.author, author);
    memset(submission.sha256, *name, STORE_HASH_DIGITS);
    error = store_submission_add(fixture.store, &submission,
                                 (struct store_package){(const uint8_t *)name, strlen(name)});
    return error ? error : (int)submission.id;
}

static int add(const char *name)
{
    return add_of(name, "someone");
}

struct found {
    int64_t wanted;
    struct store_submission submission;
    char report[256];
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
    cr_expect_str_eq(store_failure(fixture.store),
                     "submission 1 has already ended: `arena submissions` shows its report");
    cr_expect_eq(store_submission_end(fixture.store, 9, 0, "{}", 40), -ENOENT);
    cr_expect_eq(look(refused).submission.ended_us, 30);
}

/* The bot came into the store under the old name, which nobody has any more. */
Test(submissions, of_an_author_who_was_renamed_while_the_bot_was_checked_are_tried_again)
{
    int id = add_of("c", "renamed");

    cr_assert_eq(store_submission_advance(fixture.store, id, STORE_CHECKING, 11), 0);
    cr_expect_eq(store_submission_end(fixture.store, id, 1, "{}", 30), -ECANCELED);
    cr_expect_eq(look(id).submission.state, STORE_CHECKING);
}

Test(submissions, of_an_author_are_counted_up_to_one_and_from_a_moment)
{
    int64_t count;

    add_of("c", "someone");
    add_of("d", "another");
    add_of("e", "someone");
    add_of("f", "someone");
    const struct store_submission last = look(4).submission, first = look(1).submission;

    cr_assert_eq(store_submissions_count(fixture.store, &last, 6, &count), 0);
    cr_expect_eq(count, 2, "%d", (int)count);
    cr_assert_eq(store_submissions_count(fixture.store, &last, 7, &count), 0);
    cr_expect_eq(count, 0, "received at that moment");
    cr_assert_eq(store_submissions_count(fixture.store, &first, 6, &count), 0);
    cr_expect_eq(count, 0, "its own");
}

/* Adds a submission as add does, but as an author's own upload. */
static int offer_as(bool is_check, const char *name, char digit)
{
    static int64_t received_us;
    struct store_submission submission = {
        .version = "1", .received_us = ++received_us, .is_check = is_check};
    struct store_author author = {.name = "someone", .created_us = 1}, found;
    bool existed;
    int64_t retry_us;
    int error = store_author_find(fixture.store, author.name, &found);

    if (error)
        cr_assert_eq(store_author_add(fixture.store, &author), 0);
    else
        author = found;

    strcpy(submission.name, name);
    memset(submission.sha256, digit, STORE_HASH_DIGITS);
    error = store_submission_offer(fixture.store, author.id, &submission,
                                   (struct store_package){(const uint8_t *)"x", 1}, 20, &existed,
                                   &retry_us);
    return error ? error : (int)submission.id;
}

static int offer(const char *name, char digit)
{
    return offer_as(false, name, digit);
}

static int offer_check(const char *name, char digit)
{
    return offer_as(true, name, digit);
}

Test(submissions, a_newer_upload_removes_the_package_whose_place_it_takes)
{
    int first = offer("c", 'c'), other = offer("e", 'e'), shared = offer("d", 'e');
    uint8_t *package;
    size_t size;

    cr_assert(first > 0 && other > 0 && shared > 0);
    cr_assert_gt(offer("c", 'a'), 0);
    cr_assert_gt(offer("d", 'b'), 0);
    cr_expect_eq(look(first).submission.state, STORE_REFUSED);
    cr_expect_lt(store_package_read(fixture.store, look(first).submission.sha256, &package, &size),
                 0);
    cr_assert_eq(store_package_read(fixture.store, look(other).submission.sha256, &package, &size),
                 0, "another submission waits with the same package");
    free(package);
}

Test(submissions, the_same_bytes_are_taken_again_unless_they_were_at_fault)
{
    int unfit = offer("c", 'c'), waits = offer("d", 'd'), bound;

    cr_assert_eq(store_submission_end(fixture.store, unfit, 0, "{\"reason\":\"crash\"}", 30), 0);
    cr_expect_eq(offer("c", 'c'), unfit);
    cr_expect_eq(offer("d", 'd'), waits);
    cr_assert_eq(store_submission_end(fixture.store, waits, 0,
                                      "{\"reason\":\"the day's limit\"," STORE_MAY_RETRY "}", 30),
                 0);
    bound = offer("d", 'd');
    cr_expect_gt(bound, waits);
    cr_expect_eq(offer("d", 'd'), bound);
    cr_assert_eq(store_submission_cancel(fixture.store, bound, true, 40), 0);
    cr_expect_gt(offer("d", 'd'), bound);
    cr_expect_eq(look(bound).submission.state, STORE_REFUSED);
}

/* Whose check alone is asked for: it takes nothing's place, and nothing takes its place. */
Test(submissions, a_check_is_apart_from_what_is_submitted)
{
    int waits = offer("c", 'c'), check = offer_check("c", 'c'), newer;

    cr_assert(check > waits && waits > 0, "%d %d", check, waits);
    cr_expect_eq(offer_check("c", 'c'), check);
    cr_expect_eq(offer("c", 'c'), waits);
    newer = offer_check("c", 'd');
    cr_expect_eq(look(check).submission.state, STORE_REFUSED, "replaced by its like");
    cr_expect_eq(look(waits).submission.state, STORE_RECEIVED);
    cr_assert_gt(offer("c", 'e'), newer);
    cr_expect_eq(look(newer).submission.state, STORE_RECEIVED);
    cr_expect(look(newer).submission.is_check);
    cr_assert_eq(store_submission_pass(fixture.store, newer, "{\"fit\":true}", 30), 0);
    cr_expect_eq(look(newer).submission.state, STORE_CHECKED);
    cr_expect_eq(look(newer).submission.bot_id, 0);
    cr_expect_eq(store_submission_pass(fixture.store, newer, "{}", 40), -ECANCELED);
    cr_expect_gt(offer("c", 'd'), newer, "what was checked is yet to be admitted");
}

Test(submissions, an_end_is_part_of_the_callers_transaction)
{
    int id = add("c");

    cr_assert_eq(store_begin(fixture.store), 0);
    cr_assert_eq(store_submission_end(fixture.store, id, 1, "{}", 30), 0);
    store_rollback(fixture.store);
    cr_expect_eq(look(id).submission.state, STORE_RECEIVED);
}

/* ---- which are open ---- */

static int take_name(void *context, const struct store_submission *submission)
{
    strcat(strcat(context, submission->name), " ");
    return 0;
}

static void expect_open(const char *names)
{
    char read[256] = "";

    cr_assert_eq(store_submissions_open_each(fixture.store, take_name, read), 0, "%s",
                 store_failure(fixture.store));
    cr_expect_str_eq(read, names);
}

Test(submissions, of_the_banned_are_not_open)
{
    add_of("a1", "Ada");
    add_of("b1", "Bob");
    add_of("c1", "Cay");
    cr_assert_eq(store_ban_add(fixture.store, NULL, "Bob", false, 3), 0);
    expect_open("a1 c1 ");
    cr_expect_eq(look(2).submission.state, STORE_WAITING, "not received, as if it had a turn");
    cr_expect(strstr(look(2).report, "banned"));
    cr_expect_eq(add_of("b2", "Bob"), -EPERM);
    cr_expect_str_eq(store_failure(fixture.store),
                     "the author Bob is banned: an organizer can lift the ban");
    cr_assert_eq(store_ban_add(fixture.store, "first", NULL, false, 3), 0);
    cr_expect_eq(add_of("first", "Ada"), -EPERM);
    cr_expect_str_eq(store_failure(fixture.store),
                     "bot first is banned: an organizer can lift the ban");
    cr_assert_eq(store_ban_lift(fixture.store, NULL, "Bob", 4), 0);
    expect_open("a1 b1 c1 ");
    cr_expect_eq(look(2).submission.state, STORE_RECEIVED);
}

Test(submissions, of_the_banned_are_refused_with_the_same_files_too)
{
    const int admitted = offer("c", 'c');

    cr_assert_eq(store_submission_end(fixture.store, admitted, 1, "{}", 30), 0);
    cr_expect_eq(offer("c", 'c'), admitted);
    cr_assert_eq(store_ban_add(fixture.store, NULL, "someone", false, 31), 0);
    cr_expect_eq(offer("c", 'c'), -EPERM);
    cr_expect_eq(offer("c", 'd'), -EPERM);
}

/* Not the first to be admitted, who is chosen by turns, but the first to upload gets a name. */
Test(submissions, hold_a_new_name_for_the_first_to_upload)
{
    const int first = add_of("e9", "Ada");

    cr_assert_gt(first, 0);
    cr_expect_eq(add_of("e9", "Bob"), -EPERM);
    cr_expect_str_eq(store_failure(fixture.store),
                     "the name e9 is taken: Ada was the first to upload such a bot, and it waits "
                     "for its check: choose another name");
    cr_expect_gt(add_of("e9", "Ada"), first, "its own author may upload again");
    cr_assert_eq(store_submission_end(fixture.store, first, 0, "{}", 30), 0);
    cr_assert_eq(store_submission_end(fixture.store, first + 1, 0, "{}", 30), 0);
    cr_expect_gt(add_of("e9", "Bob"), 0, "a refused upload holds no name");
    cr_assert_gt(offer_check("f", 'f'), 0);
    cr_expect_gt(add_of("f", "Bob"), 0, "a check holds no name");
    cr_assert_gt(add_of("first", "Bob"), 0);
    cr_expect_gt(add_of("first", "Ada"), 0, "whose a bot's name is, is known");
}

/* ---- what is kept of a package ---- */

static bool is_kept(char digit)
{
    char sha256[STORE_HASH_DIGITS + 1] = "";
    uint8_t *package;
    size_t size;
    int error;

    memset(sha256, digit, STORE_HASH_DIGITS);
    error = store_package_read(fixture.store, sha256, &package, &size);
    cr_expect(error == 0 || error == -ENOENT, "%d", error);
    free(package);
    return error == 0;
}

/* The fixture's bot `first` has package aaaa..., `second` has bbbb... */
Test(submissions, what_is_refused_is_kept_while_it_can_be_retried)
{
    int once = add("c"), twice = add("d1"), again = add("d2"), of_bot = add("a"), fine = add("e");

    cr_assert_eq(store_submission_end(fixture.store, once, 0, "{}", 30), 0);
    cr_expect_not(is_kept('c'), "three of its author are newer");
    cr_expect_str_eq(look(once).submission.sha256,
                     "cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc");
    cr_assert_eq(store_submission_end(fixture.store, twice, 0, "{}", 30), 0);
    cr_expect(is_kept('d'), "another submission waits with the same package");
    cr_assert_eq(store_submission_end(fixture.store, again, 0, "{}", 30), 0);
    cr_expect(is_kept('d'), "one of the three newest");
    cr_assert_eq(store_submission_end(fixture.store, of_bot, 0, "{}", 30), 0);
    cr_expect(is_kept('a'), "a bot has the same package");
    cr_assert_eq(store_begin(fixture.store), 0);
    cr_assert_eq(store_submission_end(fixture.store, fine, 0, "{}", 30), 0);
    store_rollback(fixture.store);
    cr_expect(is_kept('e'));
    cr_assert_gt(fine = add("c"), 0);
    cr_expect(is_kept('c'), "submitted anew");
    cr_assert_eq(store_submission_end(fixture.store, fine, 0, "{}", 30), 0);
    cr_expect(is_kept('c'));
    cr_expect_not(is_kept('d'), "no longer");
}

/* ---- attempts without an outcome ---- */

Test(submissions, wait_for_the_machine_and_go_on)
{
    int id = add("c");

    cr_assert_eq(store_submission_advance(fixture.store, id, STORE_BUILDING, 10), 0);
    cr_assert_eq(store_submission_wait(fixture.store, id, "{\"reason\":\"busy\"}", 50, true, 20),
                 0);
    cr_expect_eq(look(id).submission.state, STORE_WAITING);
    cr_expect_eq(look(id).submission.retry_us, 50);
    cr_expect_eq(look(id).submission.since_us, 20);
    cr_expect(look(id).submission.is_alone);
    cr_expect_eq(look(id).submission.failure_count, 0);
    cr_expect_str_eq(look(id).report, "{\"reason\":\"busy\"}");
    expect_open("c ");
    cr_assert_eq(store_submission_advance(fixture.store, id, STORE_BUILDING, 50), 0);
    cr_expect_eq(look(id).submission.retry_us, 0);
    cr_assert_eq(store_submission_wait(fixture.store, id, "{}", 90, false, 60), 0);
    cr_expect_eq(look(id).submission.since_us, 20);
    cr_expect_eq(look(id).submission.failure_count, 1, "the arena failed");
    cr_expect_not(look(id).submission.is_alone);
    cr_assert_eq(store_submission_wait(fixture.store, id, "{}", 40, false, 15), 0);
    cr_expect_eq(look(id).submission.since_us, 15, "the clock went back");
    cr_assert_eq(store_submission_end(fixture.store, id, 0, "{}", 95), 0);
    cr_expect_eq(look(id).submission.retry_us, 0);
    cr_expect_eq(store_submission_wait(fixture.store, id, "{}", 99, true, 98), -ECANCELED);
}

Test(submissions, are_retried_in_their_old_place)
{
    int id = add("c"), newer;
    bool needs_upload = true;

    cr_expect_eq(store_submission_retry(fixture.store, id, &needs_upload), -EEXIST, "it is open");
    cr_assert_eq(store_submission_wait(fixture.store, id, "{}", 50, true, 20), 0);
    cr_assert_eq(store_submission_retry(fixture.store, id, &needs_upload), 0);
    cr_expect_eq(look(id).submission.state, STORE_RECEIVED, "at once");
    cr_assert_eq(store_submission_end(fixture.store, id, 0, "{}", 30), 0);
    cr_assert_eq(store_submission_retry(fixture.store, id, &needs_upload), 0);
    cr_expect_not(needs_upload);
    cr_expect_eq(look(id).submission.state, STORE_RECEIVED);
    cr_expect_eq(look(id).submission.received_us, 7);
    cr_expect_eq(look(id).submission.ended_us, 0);
    cr_expect_eq(look(id).submission.since_us, 0);
    cr_assert_eq(store_submission_end(fixture.store, id, 0, "{}", 31), 0);
    for (int i = 0; i < 3; i++) {
        char name[2] = {(char)('d' + i)};

        newer = add(name);
        cr_assert_eq(store_submission_end(fixture.store, newer, 0, "{}", 32), 0);
    }
    cr_assert_eq(store_submission_retry(fixture.store, id, &needs_upload), 0);
    cr_expect(needs_upload, "its package is gone");
    cr_expect_eq(look(id).submission.state, STORE_REFUSED);
    cr_expect(strstr(look(id).report, STORE_MAY_RETRY));
    cr_expect_eq(store_submission_retry(fixture.store, 99, &needs_upload), -ENOENT);
}

Test(submissions, bounds_come_before_bytes)
{
    /* Never read: only the size matters. */
    const struct store_package large = {(const uint8_t *)"p", (size_t)STORE_PACKAGE_BYTES_MAX + 1};
    struct store_submission submission = {.name = "c", .version = "1", .author = "someone"};

    memset(submission.sha256, 'c', STORE_HASH_DIGITS);
    cr_expect_eq(store_submission_add(fixture.store, &submission, large), -EINVAL);
    strcpy(submission.version, "");
    cr_expect_eq(store_submission_add(fixture.store, &submission,
                                      (struct store_package){(const uint8_t *)"p", 1}),
                 -EINVAL);
    cr_expect_not(is_kept('c'));
    expect_open("");
}
