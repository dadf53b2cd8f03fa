/* SPDX-License-Identifier: MIT */
/* Accounts, tokens, offers of submissions, and whose turn it is. */
#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena/base/clock.h"
#include "arena/store/authors.h"
#include "arena/store/quotas.h"
#include "arena/store/schema.h"
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

TestSuite(authors, .init = create, .fini = finish);

static struct store_author add_author(const char *name)
{
    struct store_author author = {.created_us = 1};

    strcpy(author.name, name);
    cr_assert_eq(store_author_add(fixture.store, &author), 0, "%s", store_failure(fixture.store));
    return author;
}

/* Offers a package that is told apart by its letter. */
static int offer(const char *author, const char *name, char letter, int64_t at_us, int64_t a_day,
                 struct store_submission *submission, bool *existed)
{
    struct store_author account;
    int64_t retry_us;

    if (store_author_find(fixture.store, author, &account) < 0)
        account = add_author(author);
    *submission = (struct store_submission){.version = "7", .received_us = at_us};
    strcpy(submission->name, name);
    memset(submission->sha256, letter, STORE_HASH_DIGITS);
    return store_submission_offer(fixture.store, account.id, submission,
                                  (struct store_package){(const uint8_t *)&letter, 1}, a_day,
                                  existed, &retry_us);
}

Test(authors, a_token_is_valid_until_it_is_revoked_or_expires)
{
    struct store_author ann = add_author("Ann"), found;
    struct store_token token = {.author_id = ann.id,
                                .scope = STORE_SCOPE_READ,
                                .created_us = 1,
                                .expires_us = 10 * CLOCK_DAY_US};
    enum store_scope scope;
    char text[STORE_TOKEN_BYTES];

    cr_assert_eq(store_token_draw(text), 0);
    store_token_hash(text, strlen(text), token.sha256);
    cr_assert_eq(store_token_add(fixture.store, &token), 0);
    cr_assert_eq(store_token_find(fixture.store, token.sha256, CLOCK_DAY_US, &found, &scope), 0);
    cr_expect_str_eq(found.name, "Ann");
    cr_expect_eq(scope, STORE_SCOPE_READ);
    cr_expect_eq(store_token_find(fixture.store, FIXTURE_COMMITMENT, CLOCK_DAY_US, &found, &scope),
                 -ENOENT);
    cr_expect_eq(store_token_find(fixture.store, token.sha256, 11 * CLOCK_DAY_US, &found, &scope),
                 -ENOENT);
    cr_expect_eq(store_token_revoke(fixture.store, ann.id, "x", CLOCK_DAY_US), -ENOENT);
    cr_expect_eq(store_token_revoke(fixture.store, ann.id, "", CLOCK_DAY_US), 0);
    cr_expect_eq(store_token_find(fixture.store, token.sha256, CLOCK_DAY_US, &found, &scope),
                 -ENOENT);
}

Test(authors, a_token_is_found_while_another_process_holds_the_store)
{
    struct store_author ann = add_author("Ann"), found;
    struct store_token token = {.author_id = ann.id, .created_us = 1};
    enum store_scope scope;
    struct store *other;

    memset(token.sha256, 'a', STORE_HASH_DIGITS);
    cr_assert_eq(store_token_add(fixture.store, &token), 0);
    cr_assert_eq(store_open(&other, store_url(fixture.store), STORE_WRITE), 0);
    cr_assert_eq(store_begin(other), 0);
    cr_expect_eq(store_token_find(fixture.store, token.sha256, CLOCK_DAY_US, &found, &scope), 0);
    cr_expect_str_eq(found.name, "Ann");
    store_rollback(other);
    store_close(other);
}

static int note_event(void *context, const struct store_event *event)
{
    if (strncmp(event->about, "author", 6) == 0)
        sprintf((char *)context + strlen(context), "%s %s;", event->what, event->about);
    return 0;
}

Test(authors, a_name_is_one_authors_and_everything_follows_it)
{
    struct store_author other = {.name = "Ann", .created_us = 1}, found;
    struct store_submission submission;
    char events[256] = "";
    bool existed;

    add_author("Ann");
    add_author("Ben");
    cr_expect_eq(store_author_add(fixture.store, &other), -EEXIST);
    cr_expect_eq(store_author_rename(fixture.store, "Ann", "Ben"), -EEXIST);
    cr_assert_eq(offer("Ann", "ant", 'a', CLOCK_DAY_US, 5, &submission, &existed), 0);
    cr_expect_eq(store_author_rename(fixture.store, "Ann", "Anne"), 0);
    cr_expect_eq(store_author_find(fixture.store, "Ann", &found), -ENOENT);
    cr_assert_eq(offer("Anne", "ant", 'a', CLOCK_DAY_US, 5, &submission, &existed), 0);
    cr_expect(existed, "the submission went with the name");
    cr_assert_eq(store_ban_add(fixture.store, NULL, "Anne", false, 3), 0);
    cr_expect_eq(store_author_erase(fixture.store, "Anne", 2 * CLOCK_DAY_US), 0);
    cr_assert_eq(store_author_find(fixture.store, "author-1", &found), 0);
    cr_expect_eq(found.erased_us, 2 * CLOCK_DAY_US);
    cr_assert_eq(store_events_each(fixture.store, fixture.season.id, note_event, events), 0);
    cr_expect_str_eq(events, "rename author author-1;ban author author-1;erase author-1;");
}

Test(authors, packages_of_an_erased_author_go_when_no_open_season_needs_them)
{
    struct store_bot bot = fixture_bot("first", "1");
    uint8_t *package;
    size_t size;

    add_author("someone"); /* of both bots of the open season */
    cr_assert_eq(store_author_erase(fixture.store, "someone", CLOCK_DAY_US), 0);
    cr_assert_eq(store_package_read(fixture.store, bot.sha256, &package, &size), 0);
    free(package);
    cr_assert_eq(store_season_close(fixture.store, fixture.season.id, 2 * CLOCK_DAY_US), 0);
    cr_expect_eq(store_package_read(fixture.store, bot.sha256, &package, &size), -ENODATA);
    cr_expect_null(package);
}

Test(authors, names_that_look_alike_are_one_name)
{
    static const struct {
        const char *name, *why;
        int error;
    } rows[] = {
        {"J\u00e4rvi", "the first", 0},
        {"Ja\u0308rvi", "composed otherwise", -EEXIST},
        {"J\u00c4RVI", "another case", -EEXIST},
        {"j\u00e4rv1", "a digit for a letter? No: 1 is like l", 0},
        {"ace", "Latin", 0},
        {"\u0430ce", "a Cyrillic a among Latin letters", -EINVAL},
        {"\u0430\u0441\u0435", "all Cyrillic", -EEXIST},
        {"paul", "Latin", 0},
        {"pauI", "a capital I, which is an i in another case, and looks like an l", -EEXIST},
        {"PAUL", "another case", -EEXIST},
        {"paui", "an i", 0},
        {"Ann  Lee", "two blanks", -EINVAL},
        {"Ann\u00a0Lee", "another blank", -EINVAL},
        {" Ann", "a blank first", -EINVAL},
        {"An\u200bn", "an invisible character", -EINVAL},
        {"Ann Lee", "one blank", 0},
        {"\u5f20 Wei", "Chinese and Latin", 0},
        {"author-1", "a name of an erased author", -EINVAL},
        {"Author\u20101", "the same with another hyphen", -EINVAL},
    };
    struct store_author found;

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct store_author author = {.created_us = 1};

        strcpy(author.name, rows[i].name);
        cr_expect_eq(store_author_add(fixture.store, &author), rows[i].error, "%s: %s", rows[i].why,
                     store_failure(fixture.store));
    }
    cr_expect_eq(store_author_find(fixture.store, "ja\u0308RVI", &found), 0);
    cr_expect_str_eq(found.name, "J\u00e4rvi");
    cr_expect_eq(store_author_rename(fixture.store, "ace", "ACE"), 0, "its own name");
    cr_expect_eq(store_author_rename(fixture.store, "ace", "ann lee"), -EEXIST);
    cr_expect_eq(store_author_rename(fixture.store, "ace", "pau|"), -EEXIST);
    cr_expect_eq(store_author_rename(fixture.store, "paui", "PAUI"), 0, "its own name");
    cr_expect_eq(store_author_erase(fixture.store, "ACE", CLOCK_DAY_US), 0, "%s",
                 store_failure(fixture.store));
}

Test(authors, a_bot_s_author_is_spelt_as_the_store_spells_it)
{
    struct store_submission submission;
    struct store_bot bot = fixture_bot("third", "x");
    const struct store_package package = {(const uint8_t *)"x", 1};
    bool existed;

    add_author("J\u00e4rvi");
    strcpy(bot.author, "ja\u0308rvi");
    cr_assert_eq(store_bot_add(fixture.store, &bot, package, package), 0);
    cr_assert_eq(store_bot_find(fixture.store, "third", "x", &bot), 0);
    cr_expect_str_eq(bot.author, "J\u00e4rvi");
    cr_assert_eq(offer("SOMEONE", "first", 'a', CLOCK_DAY_US, 5, &submission, &existed), 0, "%s",
                 store_failure(fixture.store));
    cr_expect_str_eq(submission.author, "someone");
    cr_expect_eq(store_ban_add(fixture.store, NULL, "SomeOne", false, 3), 0);
    cr_expect_eq(offer("someone", "first", 'b', CLOCK_DAY_US, 5, &submission, &existed), -EPERM);
    cr_expect_eq(store_ban_lift(fixture.store, NULL, "SOMEONE", 4), 0);
}

/* Columns with text that stays when their author is erased: they say nothing about the author. */
static bool is_kept(const char *table, const char *column)
{
    static const char *const kept[] = {
        "bot.name",           "bot.version",     "bot.sha256",         "bot.built_sha256",
        "bot.content_sha256", "submission.name", "submission.version", "submission.sha256",
        "ban.name",           "token.sha256",
    };
    char name[64];

    snprintf(name, sizeof name, "%s.%s", table, column);
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
        if (strcmp(kept[i], name) == 0)
            return true;
    return false;
}

/*
 * Writes a secret to each column of text that an author fills and that does not stay; or checks
 * that no such column has the secret.
 */
static void each_personal(bool writes)
{
    static const enum schema_table_number tables[] = {TABLE_AUTHOR, TABLE_TOKEN, TABLE_SUBMISSION,
                                                      TABLE_BAN, TABLE_BOT};

    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        const struct schema_table *table = &schema_tables[tables[i]];

        for (int j = 0; j < table->column_count; j++) {
            const struct schema_column *column = &table->columns[j];
            const char *secret = column->field == SCHEMA_HASH ? FIXTURE_COMMITMENT : "secret";
            char text[256];
            int64_t count = 0;

            if (column->type != SQL_TEXT || is_kept(table->name, column->name))
                continue;
            snprintf(text, sizeof text, "UPDATE %s SET \"%s\" = $1", table->name, column->name);
            if (writes)
                cr_assert_geq(sql_run(fixture.store, SQL(text, sql_text(secret))), 0, "%s", text);
            snprintf(text, sizeof text, "SELECT count(*) FROM %s WHERE \"%s\" = $1", table->name,
                     column->name);
            cr_assert_eq(sql_number(fixture.store, SQL(text, sql_text(secret)), &count), 0);
            cr_expect_eq(count > 0, writes && tables[i] != TABLE_TOKEN,
                         "%s.%s: %lld rows: a text that says something about its author is marked "
                         "as PERSONAL in arena/store/tables.c; one that stays is in is_kept here",
                         table->name, column->name, (long long)count);
        }
    }
}

Test(authors, no_text_of_an_erased_author_stays_but_names_and_versions_of_bots)
{
    struct store_submission submission;
    bool existed;

    add_author("someone"); /* of both bots of the open season */
    cr_assert_eq(offer("someone", "first", 'a', CLOCK_DAY_US, 5, &submission, &existed), 0);
    cr_assert_eq(store_ban_add(fixture.store, NULL, "someone", false, 3), 0);
    cr_assert_eq(store_author_rename(fixture.store, "someone", "secret"), 0);
    each_personal(true);
    cr_assert_eq(store_author_erase(fixture.store, "secret", 2 * CLOCK_DAY_US), 0);
    cr_assert_eq(store_season_close(fixture.store, fixture.season.id, 2 * CLOCK_DAY_US), 0);
    each_personal(false);
}

/* Adds a version of `first` with a package of its own. */
static void add_version(const char *version, int64_t submitted_us)
{
    const struct store_package package = {(const uint8_t *)version, 1};
    struct store_bot bot = fixture_bot("first", version);

    memset(bot.sha256, *version, STORE_HASH_DIGITS);
    memset(bot.built_sha256, *version, STORE_HASH_DIGITS);
    bot.submitted_us = submitted_us;
    cr_assert_eq(store_bot_add(fixture.store, &bot, package, package), 0);
}

/* Removes all but the newest packages of each bot. Writes the versions of `first` that keep theirs.
 */
static const char *kept(int64_t versions, char names[static 16])
{
    struct store_bot bot;
    uint8_t *package;
    size_t size;

    *names = '\0';
    cr_assert_eq(store_begin(fixture.store), 0);
    cr_assert_eq(store_packages_drop(fixture.store, versions), 0, "%s",
                 store_failure(fixture.store));
    cr_assert_eq(store_commit(fixture.store), 0);
    for (char version[] = "1"; *version <= '9'; ++*version) {
        if (store_bot_find(fixture.store, "first", version, &bot) < 0)
            continue;
        if (store_package_read(fixture.store, bot.built_sha256, &package, &size) == 0)
            strcat(names, version);
        free(package);
    }
    return names;
}

Test(authors, packages_of_older_versions_go_when_no_game_needs_them)
{
    struct store_season season = fixture.season;
    struct store_opening opening = {.commitment = FIXTURE_COMMITMENT, .opened_us = 1};
    struct store_game game;
    char names[16];

    strcpy(season.name, "dated");
    season.deadline_us = 50;
    cr_assert_eq(store_season_add(fixture.store, &season, &opening), 0);
    add_version("2", 40);
    add_version("3", 50);
    add_version("4", 60);
    add_version("5", 70);
    cr_expect_str_eq(kept(0, names), "12345");
    cr_expect_str_eq(kept(3, names), "1345");
    cr_expect_str_eq(kept(1, names), "135", "1 has a game to play, 3 is in the dated season");
    for (int rotation = 0; rotation < 2; rotation++) {
        game = fixture_game(0, rotation);
        cr_assert_eq(
            store_game_add(fixture.store, fixture.season.id, &game, (const uint8_t *)"r", 1), 0);
    }
    cr_expect_str_eq(kept(1, names), "35");
    cr_assert_eq(store_season_close(fixture.store, season.id, CLOCK_DAY_US), 0);
    cr_expect_str_eq(kept(1, names), "5");
}

static void expect_quota(struct store_quota quota, const char *author, int64_t now_us, int64_t left,
                         int64_t more_us, const char *why)
{
    cr_assert_eq(store_quota_read(fixture.store, author, now_us, 0, &quota), 0);
    cr_expect_eq(quota.left, left, "%s: %lld left", why, (long long)quota.left);
    cr_expect_eq(quota.more_us, more_us, "%s: more at %lld", why, (long long)quota.more_us);
}

Test(authors, an_offer_is_taken_once_replaces_what_waits_and_has_a_quota)
{
    struct store_submission first, second;
    bool existed;

    cr_assert_eq(offer("Ann", "ant", 'a', CLOCK_DAY_US, 2, &first, &existed), 0);
    cr_expect(!existed);
    cr_assert_eq(offer("Ann", "ant", 'a', CLOCK_DAY_US, 2, &second, &existed), 0);
    cr_expect(existed && second.id == first.id);
    cr_assert_eq(offer("Ann", "ant", 'b', CLOCK_DAY_US + 1, 2, &second, &existed), 0);
    cr_expect(!existed && second.id != first.id);
    cr_expect_eq(store_submission_cancel(fixture.store, first.id, true, CLOCK_DAY_US), -ECANCELED,
                 "replaced");
    cr_expect_eq(offer("Ann", "ant", 'c', CLOCK_DAY_US + 2, 2, &second, &existed), -EDQUOT);
    expect_quota((struct store_quota){STORE_QUOTA_PACKAGES, 2}, "Ann", CLOCK_DAY_US + 2, 0,
                 2 * CLOCK_DAY_US, "a day after the first of two");
    expect_quota((struct store_quota){STORE_QUOTA_PACKAGES, 1}, "Ann", CLOCK_DAY_US + 2, 0,
                 2 * CLOCK_DAY_US + 1, "a limit that is lower by now: after both");
    expect_quota((struct store_quota){STORE_QUOTA_PACKAGES, 9}, "Ann", CLOCK_DAY_US + 2, 7,
                 2 * CLOCK_DAY_US, "one more than are left");
    expect_quota((struct store_quota){STORE_QUOTA_PACKAGES, 9}, "Bob", CLOCK_DAY_US + 2, 9, 0,
                 "others");
    cr_expect_eq(offer("Ann", "ant", 'c', 3 * CLOCK_DAY_US, 2, &second, &existed), 0);
    cr_expect_eq(store_submission_cancel(fixture.store, second.id, true, 3 * CLOCK_DAY_US), 0);
    cr_expect_eq(offer("Ann", "first", 'd', 5 * CLOCK_DAY_US, 2, &second, &existed), -EPERM,
                 "another's bot");
}

/* The desk found the author by the token; then the upload was unpacked, which took its time. */
Test(authors, an_offer_is_its_accounts_whatever_became_of_the_name)
{
    struct store_submission submission = {.name = "ant", .version = "7", .received_us = 1};
    const struct store_package package = {(const uint8_t *)"a", 1};
    struct store_author ann = add_author("Ann");
    int64_t retry_us;
    bool existed;

    memset(submission.sha256, 'a', STORE_HASH_DIGITS);
    cr_assert_eq(store_author_rename(fixture.store, "Ann", "Anne"), 0);
    add_author("Ann");
    cr_expect_eq(
        store_submission_offer(fixture.store, ann.id, &submission, package, 9, &existed, &retry_us),
        0);
    cr_expect_str_eq(submission.author, "Anne");
    cr_assert_eq(store_author_erase(fixture.store, "Anne", 2), 0);
    cr_expect_eq(
        store_submission_offer(fixture.store, ann.id, &submission, package, 9, &existed, &retry_us),
        -EKEYREVOKED);
}

Test(authors, uploads_have_a_quota_whatever_comes_of_them)
{
    struct store_author ann = add_author("Ann"), bob = add_author("Bob");
    const int64_t now_us = 10 * CLOCK_DAY_US;
    int64_t retry_us;

    for (int i = 0; i < 3; i++) {
        expect_quota((struct store_quota){STORE_QUOTA_UPLOADS, 3}, "Ann", now_us + i, 3 - i,
                     i ? now_us + CLOCK_DAY_US / 3 : 0, "before");
        cr_expect_eq(store_author_upload(fixture.store, ann.id, now_us + i, 3, &retry_us), 0,
                     "upload %d", i);
    }
    cr_expect_eq(store_author_upload(fixture.store, ann.id, now_us + 3, 3, &retry_us), -EDQUOT);
    cr_expect(retry_us > now_us + 3 && retry_us <= now_us + CLOCK_DAY_US, "%lld",
              (long long)retry_us);
    expect_quota((struct store_quota){STORE_QUOTA_UPLOADS, 3}, "Ann", now_us + 3, 0, retry_us,
                 "as the refusal says");
    expect_quota((struct store_quota){STORE_QUOTA_UPLOADS, 3}, "Ann", now_us - CLOCK_DAY_US / 2, 0,
                 retry_us, "the clock went back a little");
    expect_quota((struct store_quota){STORE_QUOTA_UPLOADS, 3}, "Ann", now_us - 5 * CLOCK_DAY_US, 3,
                 0, "the clock was wrong");
    cr_expect_eq(store_author_upload(fixture.store, bob.id, now_us + 3, 3, &retry_us), 0);
    cr_expect_eq(
        store_author_upload(fixture.store, ann.id, now_us + CLOCK_DAY_US / 3 + 1, 3, &retry_us), 0,
        "one more after a third of a day");
    cr_expect_eq(
        store_author_upload(fixture.store, ann.id, now_us + CLOCK_DAY_US / 3 + 2, 3, &retry_us),
        -EDQUOT);
}

/* A machine whose clock was years ahead locks nobody out for these years. */
Test(authors, what_a_wrong_clock_counted_does_not_count)
{
    const int64_t now_us = 10 * CLOCK_DAY_US, wrong_us = 4000 * CLOCK_DAY_US;
    struct store_author ann = add_author("Ann");
    struct store_submission submission;
    int64_t retry_us;
    bool existed;

    for (int i = 0; i < 2; i++) {
        const int64_t at_us = i ? now_us : wrong_us;

        cr_expect_eq(store_author_upload(fixture.store, ann.id, at_us, 1, &retry_us), 0);
        cr_expect_eq(store_author_upload(fixture.store, ann.id, at_us + 1, 1, &retry_us), -EDQUOT);
        cr_expect(retry_us > at_us && retry_us <= at_us + CLOCK_DAY_US);
        cr_expect_eq(offer("Ann", "ant", i ? 'a' : 'b', at_us, 1, &submission, &existed), 0);
        cr_expect_eq(offer("Ann", "ant", 'c', at_us + 1, 1, &submission, &existed), -EDQUOT);
    }
}

static int note_turn(void *context, const struct store_submission *submission)
{
    strcat(context, submission->name);
    return 0;
}

/* Checks whose turn is next: the names of the open submissions, in order. */
static void expect_turns(const char *names, const char *why)
{
    char turns[64] = "";

    cr_assert_eq(store_submissions_open_each(fixture.store, note_turn, turns), 0);
    cr_expect_str_eq(turns, names, "%s", why);
}

Test(authors, an_upload_after_a_deadline_leaves_one_that_came_in_time)
{
    struct store_opening opening = {.commitment = FIXTURE_COMMITMENT, .opened_us = 1};
    struct store_season season = fixture.season;
    struct store_submission first, late, later;
    bool existed;

    strcpy(season.name, "dated");
    season.deadline_us = 50;
    cr_assert_eq(store_season_add(fixture.store, &season, &opening), 0);
    cr_assert_eq(offer("Ann", "ant", 'a', 50, 9, &first, &existed), 0);
    cr_assert_eq(offer("Ann", "ant", 'b', 51, 9, &late, &existed), 0);
    cr_assert_eq(offer("Ann", "ant", 'c', 52, 9, &later, &existed), 0);
    cr_expect_eq(store_submission_cancel(fixture.store, late.id, true, 53), -ECANCELED, "replaced");
    expect_turns("ant", "the one that came in time is admitted first");
    cr_expect_eq(store_submission_cancel(fixture.store, first.id, true, 53), 0, "%s",
                 store_failure(fixture.store));
    expect_turns("ant", "then the newest");
}

Test(authors, an_admission_ends_older_uploads_of_the_bot_and_no_other)
{
    struct store_opening opening = {.commitment = FIXTURE_COMMITMENT, .opened_us = 1};
    struct store_season season = fixture.season;
    struct store_bot bot = fixture_bot("ant", "2");
    struct store_submission first, own, other, in_time;
    const struct store_package package = {(const uint8_t *)"x", 1};
    bool existed;

    cr_assert_eq(offer("Ann", "ant", 'c', 50, 9, &first, &existed), 0);
    cr_assert_eq(offer("Ann", "bee", 'd', 50, 9, &other, &existed), 0);
    /* The arena begins with the first upload, but fails and puts it off. */
    cr_assert_eq(store_submission_advance(fixture.store, first.id, STORE_CHECKING, 50), 0);
    cr_assert_eq(offer("Ann", "ant", 'e', 51, 9, &own, &existed), 0);
    strcpy(bot.author, "Ann");
    bot.submitted_us = 51;
    cr_assert_eq(store_bot_add(fixture.store, &bot, package, package), 0);
    cr_expect_eq(store_submission_advance(fixture.store, first.id, STORE_BUILDING, 52), -ECANCELED,
                 "an older version would take the place of the newer one");
    cr_expect_eq(store_submission_end(fixture.store, own.id, bot.id, "{}", 52), 0);
    cr_expect_eq(store_submission_advance(fixture.store, other.id, STORE_BUILDING, 52), 0);

    strcpy(season.name, "dated");
    season.deadline_us = 60;
    cr_assert_eq(store_season_add(fixture.store, &season, &opening), 0);
    cr_assert_eq(offer("Ann", "ant", 'f', 60, 9, &in_time, &existed), 0);
    bot = fixture_bot("ant", "3");
    strcpy(bot.author, "Ann");
    bot.submitted_us = 61;
    cr_assert_eq(store_bot_add(fixture.store, &bot, package, package), 0);
    cr_expect_eq(store_submission_advance(fixture.store, in_time.id, STORE_BUILDING, 62), 0);
}

Test(authors, authors_take_turns)
{
    struct store_submission submission;
    bool existed;
    int64_t mean_us;

    for (char name[] = "a"; *name <= 'c'; ++*name)
        cr_assert_eq(offer("Ann", name, *name, 1, 9, &submission, &existed), 0);
    cr_assert_eq(offer("Ben", "d", 'd', 1, 9, &submission, &existed), 0);
    expect_turns("adbc", "the oldest of each author");
    cr_assert_eq(store_submission_advance(fixture.store, 1, STORE_BUILDING, 5), 0);
    cr_assert_eq(store_submission_end(fixture.store, 1, 0, "{}", 9), 0);
    cr_assert_eq(store_submissions_pace(fixture.store, 9, &mean_us), 0);
    cr_expect_eq(mean_us, 4);
    expect_turns("dbc", "Ann was served last");
    cr_assert_eq(store_submission_advance(fixture.store, 4, STORE_BUILDING, 10), 0);
    cr_assert_eq(store_submissions_pace(fixture.store, 12, &mean_us), 0);
    cr_expect_eq(mean_us, 4);
    cr_assert_eq(store_submissions_pace(fixture.store, 19, &mean_us), 0);
    cr_expect_eq(mean_us, 9, "a build that takes longer than those that ended");
    cr_assert_eq(store_submission_end(fixture.store, 4, 0, "{}", 20), 0);
}

static int note_bot(void *context, const struct store_bot *bot)
{
    if (bot->newest)
        strcat(context, bot->version);
    return 0;
}

Test(authors, a_season_sees_the_versions_before_its_deadline)
{
    struct store_season season = fixture.season;
    struct store_opening opening = {.commitment = FIXTURE_COMMITMENT, .opened_us = 1};
    struct store_bot bot = fixture_bot("third", "x");
    const struct store_package package = {(const uint8_t *)"x", 1};
    char versions[64] = "";

    strcpy(season.name, "dated");
    season.deadline_us = 50;
    cr_assert_eq(store_season_add(fixture.store, &season, &opening), 0);
    bot.submitted_us = 50;
    cr_assert_eq(store_bot_add(fixture.store, &bot, package, package), 0);
    bot = fixture_bot("third", "y");
    bot.submitted_us = 51;
    cr_assert_eq(store_bot_add(fixture.store, &bot, package, package), 0);
    cr_assert_eq(store_bots_of_season(fixture.store, season.id, note_bot, versions), 0);
    cr_expect(strchr(versions, 'x') && !strchr(versions, 'y'), "%s", versions);
    *versions = '\0';
    cr_assert_eq(store_bots_of_season(fixture.store, fixture.season.id, note_bot, versions), 0);
    cr_expect(strchr(versions, 'y') && !strchr(versions, 'x'), "%s", versions);
}

static int note_any(void *context, const struct store_bot *bot)
{
    strcat(strcat(context, bot->version), bot->newest ? "+" : "-");
    return 0;
}

/* The deadline was moved to before a version that has entered: it is known, but plays no more. */
Test(authors, a_season_knows_the_versions_that_entered_before_its_deadline_moved)
{
    struct store_opening opening = {.commitment = FIXTURE_COMMITMENT, .opened_us = 1};
    struct store_bot bot = fixture_bot("third", "x");
    const struct store_package package = {(const uint8_t *)"x", 1};
    struct store_batch batch = {.connection = store_connection(fixture.store)};
    struct store_season season = fixture.season;
    struct store_entry entry = {.number = 0};
    char versions[64] = "";

    strcpy(season.name, "dated");
    season.deadline_us = 60;
    cr_assert_eq(store_season_add(fixture.store, &season, &opening), 0);
    bot.submitted_us = 50;
    cr_assert_eq(store_bot_add(fixture.store, &bot, package, package), 0);
    bot = fixture_bot("third", "y");
    bot.submitted_us = 55;
    cr_assert_eq(store_bot_add(fixture.store, &bot, package, package), 0);
    entry.bot_id = bot.id;
    cr_assert_eq(store_event_latest(fixture.store, &batch.event), 0);
    cr_assert_eq(store_batch_add(fixture.store, season.id, &batch, &entry, 1, NULL, 0), 0);
    season.deadline_us = 52;
    cr_assert_eq(store_season_date(fixture.store, &season, 0), 0);
    cr_assert_eq(store_bots_of_season(fixture.store, season.id, note_any, versions), 0);
    cr_expect(strstr(versions, "x+y-"), "%s", versions);
}

static bool count_look(void *looks)
{
    ++*(int *)looks;
    return false;
}

/* Returns how often the store looked whether anybody still waits: as often as it had work to do. */
static int forfeits_work(int game_count)
{
    int looks = 0;

    finish();
    fixture_create(&fixture);
    fixture_fill(&fixture, game_count / 2);
    cr_assert_eq(store_begin(fixture.store), 0);
    for (int i = 0; i < game_count; i++) {
        struct store_game game = fixture_game(i / 2, i % 2);

        game.forfeits = "[{}, {}]";
        cr_assert_eq(store_game_add(fixture.store, fixture.season.id, &game, (uint8_t *)"r", 1), 0);
    }
    cr_assert_eq(store_commit(fixture.store), 0);
    store_watch(fixture.store, count_look, &looks);
    cr_assert_eq(store_forfeits_of(fixture.store, "someone", 1, NULL, NULL), 0);
    store_watch(fixture.store, NULL, NULL);
    return looks;
}

/* Each page was found by counting the rows of all pages before. */
Test(authors, forfeits_are_found_in_time_that_grows_with_the_games_alone)
{
    int once = forfeits_work(2000), thrice = forfeits_work(6000);

    /* Where the store waits for a server, it looks more often on a busy machine. */
    for (int again = 0; thrice > 4 * once && again < 5; again++)
        thrice = forfeits_work(6000);
    cr_expect(once > 0 && thrice <= 4 * once, "%d, then %d", once, thrice);
}

static int count(void *context, const struct store_forfeit *forfeit)
{
    cr_expect_str_eq(forfeit->bot, "first");
    cr_expect_eq(strncmp(forfeit->game, "spring-000000-", 14), 0, "%s", forfeit->game);
    ++*(int *)context;
    return 0;
}

Test(authors, forfeits_of_an_author_are_listed)
{
    int found = 0;

    finish();
    fixture_create(&fixture);
    fixture_fill(&fixture, 40);
    for (int i = 0; i < 80; i++) { /* more games than a page of the listing has */
        struct store_game game = fixture_game(i / 2, i % 2);

        game.forfeits = "[{}, {}]";
        for (int seat = 0; seat < 2; seat++)
            if (i < 2 && game.seats[seat].entry == 0)
                game.seats[seat].reason = WIRE_TIMEOUT;
        cr_assert_eq(store_game_add(fixture.store, fixture.season.id, &game, (uint8_t *)"r", 1), 0);
    }
    cr_assert_eq(store_forfeits_of(fixture.store, "nobody", 5, count, &found), 0);
    cr_expect_eq(found, 0);
    cr_assert_eq(store_forfeits_of(fixture.store, "someone", 5, count, &found), 0);
    cr_expect_eq(found, 2, "only the games that a bot of the author forfeited");
    cr_assert_eq(store_forfeits_of(fixture.store, "someone", 1, count, &found), 0);
    cr_expect_eq(found, 3);
}
