/* SPDX-License-Identifier: MIT */
/* Challenges: who may challenge whom, the quota, games, what is removed. */
#include <criterion/criterion.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "arena/store/challenges.h"
#include "tests/store/fixture.h"

static struct fixture fixture;
static const int64_t day_us = INT64_C(86400) * 1000000;

static void add_bot(const char *name, const char *author, bool reference)
{
    const struct store_package package = {(const uint8_t *)"bot", 3};
    struct store_bot bot = fixture_bot(name, "1");

    strcpy(bot.author, author);
    bot.reference = reference;
    cr_assert_eq(store_bot_add(fixture.store, &bot, package, package), 0, "%s",
                 store_failure(fixture.store));
}

static void allow(const char *name, bool is_challenged)
{
    struct store_author author;

    cr_assert_eq(store_author_find(fixture.store, name, &author), 0);
    cr_assert_eq(store_author_allow(fixture.store, author.id, is_challenged), 0);
}

/* Authors ann (bots ant, ape), ben (bot bee); reference bot ref; a retired bot old of ann. */
static void create(void)
{
    static const char *const authors[] = {"ann", "ben"};

    fixture_create(&fixture);
    for (int i = 0; i < 2; i++) {
        struct store_author author = {.created_us = 1};

        strcpy(author.name, authors[i]);
        cr_assert_eq(store_author_add(fixture.store, &author), 0);
    }
    add_bot("ant", "ann", false);
    add_bot("ape", "ann", false);
    add_bot("old", "ann", false);
    add_bot("bee", "ben", false);
    add_bot("ref", "teacher", true);
    cr_assert_eq(store_bot_retire(fixture.store, "old", 1), 0);
}

static void finish(void)
{
    fixture_remove(&fixture);
}

TestSuite(challenges, .init = create, .fini = finish);

/* Asks for games at a time; author NULL: as an organizer. Returns the challenge's id, or -errno. */
static int64_t ask(const char *author, const char *bot, const char *opponent, int games,
                   int64_t at_us)
{
    struct store_challenge challenge = {
        .wanted_count = games, .created_us = at_us, .by_organizer = !author};
    struct store_author who;
    int error;

    strcpy(challenge.name, bot);
    strcpy(challenge.opponent, opponent);
    if (author)
        cr_assert_eq(store_author_find(fixture.store, author, &who), 0);
    error = store_challenge_add(fixture.store, author ? &who : NULL, 10, &challenge);
    return error ? error : challenge.id;
}

Test(challenges, an_author_challenges_reference_bots_his_own_and_those_of_authors_who_agree)
{
    static const struct {
        const char *author, *bot, *opponent, *words;
        bool ann_allows, ben_allows;
        int error; /* 0: the challenge is taken */
    } cases[] = {
        {"ann", "ant", "ref", "", false, false, 0},
        {"ann", "ant", "ape", "", false, false, 0},
        {"ann", "ant", "bee", "yes, or by the API POST /api/v1/me?challenges=yes)", false, false,
         -EPERM},
        {"ann", "ant", "bee", "you do not: arena challenge --allow yes", false, true, -EPERM},
        {"ann", "ant", "bee", "bot bee may not be challenged", true, false, -EPERM},
        {"ann", "ant", "bee", "name a reference bot (ref), another bot of yours", true, false,
         -EPERM},
        {"ann", "ant", "bee", "", true, true, 0},
        {"ann", "bee", "ref", "ann has no bot bee", true, true, -ENOENT},
        {"ann", "none", "ref", "only a bot that was admitted plays", true, true, -ENOENT},
        {"ann", "ant", "none", "there is no bot none", true, true, -ENOENT},
        {"ann", "old", "ref", "bot old is retired", true, true, -EPERM},
        {"ann", "ant", "old", "bot old is retired", true, true, -EPERM},
        {NULL, "ant", "bee", "", false, false, 0},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int64_t id;

        allow("ann", cases[i].ann_allows);
        allow("ben", cases[i].ben_allows);
        id = ask(cases[i].author, cases[i].bot, cases[i].opponent, 1, day_us);
        cr_expect_eq(id < 0 ? id : 0, cases[i].error, "case %zu: %lld", i, (long long)id);
        if (id < 0)
            cr_expect(strstr(store_failure(fixture.store), cases[i].words), "case %zu: %s", i,
                      store_failure(fixture.store));
    }
}

Test(challenges, a_refusal_names_the_reference_bots_that_play)
{
    static const char *const more[] = {"r1", "r2", "r3", "r4", "r5", "r6"};

    for (size_t i = 0; i < sizeof more / sizeof *more; i++)
        add_bot(more[i], "teacher", true);
    cr_expect_eq(ask("ann", "ant", "bee", 1, day_us), -EPERM);
    cr_expect(strstr(store_failure(fixture.store), "(r1, r2, r3, r4, r5, r6, ...)"), "%s",
              store_failure(fixture.store));
    cr_assert_eq(store_bot_retire(fixture.store, "ref", 1), 0);
    cr_expect_eq(ask("ann", "ant", "bee", 1, day_us), -EPERM);
    cr_expect(strstr(store_failure(fixture.store), "(r1, r2, r3, r4, r5, r6)"), "%s",
              store_failure(fixture.store));
    cr_assert_eq(store_ban_add(fixture.store, NULL, "teacher", false, 2), 0);
    cr_expect_eq(ask("ann", "ant", "bee", 1, day_us), -EPERM);
    cr_expect(strstr(store_failure(fixture.store), "(this arena has none)"), "%s",
              store_failure(fixture.store));
}

Test(challenges, an_author_has_a_number_of_games_in_a_day)
{
    int64_t id;

    cr_expect_gt(ask("ann", "ant", "ref", 6, day_us), 0);
    cr_expect_eq(ask("ann", "ape", "ref", 5, day_us + 1), -EDQUOT);
    cr_expect(strstr(store_failure(fixture.store),
                     "6 of the 10 games that challenges may have in a day are used: ask for at "
                     "most 4, or wait until 1970-01-03T00:00:00Z"),
              "%s", store_failure(fixture.store));
    cr_expect_eq(ask("ann", "ape", "ref", 11, day_us + 1), -EDQUOT);
    cr_expect(strstr(store_failure(fixture.store), ": ask for at most 4"), "never 11");
    cr_expect(!strstr(store_failure(fixture.store), "wait"), "never 11");
    cr_expect_gt(ask(NULL, "ant", "ref", 20, day_us + 2), 0, "an organizer has no quota");
    cr_expect_gt(ask("ben", "bee", "ref", 10, day_us + 2), 0, "nor does it count for others");
    id = ask("ann", "ape", "ref", 4, day_us + 3);
    cr_assert_gt(id, 0);
    cr_expect_eq(ask("ann", "ant", "ref", 1, day_us + 4), -EDQUOT);
    cr_expect(strstr(store_failure(fixture.store), "used: wait until 1970-01-03T00:00:00Z"), "%s",
              store_failure(fixture.store));
    cr_assert_eq(store_challenge_end(fixture.store, id, "the arena failed", day_us + 5), 0);
    cr_expect_gt(ask("ann", "ant", "ref", 4, day_us + 6), 0, "what the arena failed is free");
    cr_expect_gt(ask("ann", "ant", "ref", 6, 2 * day_us + 1), 0, "a day later");
}

static int count_bout(void *context, const struct store_bout *bout)
{
    cr_expect_eq(bout->number, *(int *)context);
    ++*(int *)context;
    return 0;
}

Test(challenges, each_game_is_kept_once_and_a_game_forgives_the_attempts_before)
{
    const int64_t id = ask("ann", "ant", "ref", 3, day_us);
    struct store_bout bout = {
        .challenge_id = id, .number = 0, .bytes = (const uint8_t *)"replay", .size = 6};
    struct store_challenge challenge;
    uint8_t *bytes;
    size_t size;
    int64_t next;
    int count = 0;

    cr_assert_eq(ask("ann", "ant", "ape", 1, day_us), id + 1);
    cr_expect_eq(store_challenge_next(fixture.store, &next), 0);
    cr_expect_eq(next, id);
    cr_expect_eq(store_challenge_begin(fixture.store, id), 0);
    cr_expect_eq(store_challenge_begin(fixture.store, id), 0);
    cr_assert_eq(store_challenge_find(fixture.store, id, &challenge), 0);
    cr_expect_eq(challenge.attempt_count, 2);
    cr_expect_eq(store_bout_add(fixture.store, &bout), 0);
    cr_expect_eq(store_bout_add(fixture.store, &bout), -ECANCELED);
    bout.number = 1;
    cr_expect_eq(store_bout_add(fixture.store, &bout), 0);
    cr_expect_eq(store_bouts_each(fixture.store, id, count_bout, &count), 0);
    cr_expect_eq(count, 2);
    cr_assert_eq(store_challenge_end(fixture.store, id, "", 2 * day_us), 0);
    cr_assert_eq(store_challenge_find(fixture.store, id, &challenge), 0);
    cr_expect_eq(challenge.attempt_count, 0);
    cr_expect_eq(challenge.played_count, 2);
    cr_expect_eq(challenge.state, STORE_CHALLENGE_ENDED);
    cr_expect_eq(challenge.ended_us, 2 * day_us);
    cr_expect_str_eq(challenge.author, "ann");
    cr_assert_eq(store_bout_read(fixture.store, id, 1, &bytes, &size), 0);
    cr_expect_eq(size, 6);
    free(bytes);
    cr_expect_eq(store_bout_read(fixture.store, id, 2, &bytes, &size), -ENOENT);
    cr_expect_eq(store_challenge_next(fixture.store, &next), 0);
    cr_expect_eq(next, id + 1);
    cr_assert_eq(store_challenge_end(fixture.store, id + 1, "why", 3), 0);
    cr_expect_eq(store_challenge_next(fixture.store, &next), 0);
    cr_expect_eq(next, 0);
}

static int count_challenge(void *context, const struct store_challenge *challenge)
{
    ++*(int *)context;
    return 0;
}

static int count_of(const char *author)
{
    int count = 0;

    cr_assert_eq(store_challenges_each(fixture.store, author, count_challenge, &count), 0);
    return count;
}

Test(challenges, the_oldest_go_but_none_that_waits_or_counts_for_the_quota)
{
    const int64_t waiting = ask("ann", "ant", "ref", 1, 1);
    struct store_challenge challenge;

    for (int i = 0; i < STORE_CHALLENGES_KEPT + 3; i++) {
        const int64_t id = ask("ann", "ant", "ref", 1, (2 + i) * day_us);
        const struct store_bout bout = {
            .challenge_id = id, .bytes = (const uint8_t *)"replay", .size = 6};

        cr_assert_gt(id, 0, "%s", store_failure(fixture.store));
        cr_assert_eq(store_bout_add(fixture.store, &bout), 0);
        cr_assert_eq(store_challenge_end(fixture.store, id, "", (2 + i) * day_us), 0);
    }
    cr_expect_eq(count_of("ann"), STORE_CHALLENGES_KEPT + 2, "%d", count_of("ann"));
    cr_expect_eq(store_challenge_find(fixture.store, waiting, &challenge), 0);
    cr_expect_eq(store_challenge_find(fixture.store, waiting + 1, &challenge), -ENOENT);
}

Test(challenges, an_erased_author_takes_every_challenge_of_his_bots_along)
{
    struct store_bout bout = {.bytes = (const uint8_t *)"replay", .size = 6};

    allow("ann", true);
    allow("ben", true);
    bout.challenge_id = ask("ann", "ant", "bee", 1, day_us);
    cr_assert_eq(store_bout_add(fixture.store, &bout), 0);
    cr_assert_gt(ask("ann", "ant", "ref", 1, day_us), 0);
    cr_assert_gt(ask("ben", "bee", "ref", 1, day_us), 0);
    cr_expect_eq(count_of("ann"), 2);
    cr_assert_eq(store_author_erase(fixture.store, "ben", 2 * day_us), 0, "%s",
                 store_failure(fixture.store));
    cr_expect_eq(count_of("ann"), 1);
    cr_expect_eq(count_of(NULL), 1);
    cr_expect_eq(store_bout_add(fixture.store, &bout), -ECANCELED);
}
