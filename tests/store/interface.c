/* SPDX-License-Identifier: MIT */
/*
 * What the interface promises besides storing rows: limits, transactions, what each_fn may do,
 * claims. Like store.c, for any back end.
 */
#include <criterion/criterion.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "arena/store/sql.h"
#include "tests/store/fixture.h"

static struct fixture fixture;

static void create(void)
{
    fixture_create(&fixture);
    fixture_fill(&fixture, 4);
}

static void finish(void)
{
    fixture_remove(&fixture);
}

TestSuite(interface, .init = create, .fini = finish);

/* ---- valid rows ---- */

static void name_with_a_slash(struct store_bot *bot)
{
    strcpy(bot->name, "a/b");
}

static void version_with_a_control(struct store_bot *bot)
{
    strcpy(bot->version, "1\n");
}

static void author_of_nothing(struct store_bot *bot)
{
    bot->author[0] = '\0';
}

static void hash_that_is_short(struct store_bot *bot)
{
    bot->sha256[9] = '\0';
}

static void time_before_1970(struct store_bot *bot)
{
    bot->submitted_us = -1;
}

static void no_manifest(struct store_bot *bot)
{
    bot->manifest = NULL;
}

static const struct {
    const char *column;
    void (*spoil_fn)(struct store_bot *bot);
} bot_rows[] = {
    {"name", name_with_a_slash},        {"version", version_with_a_control},
    {"author", author_of_nothing},      {"sha256", hash_that_is_short},
    {"submitted_us", time_before_1970}, {"manifest", no_manifest},
};

static int count_bot(void *context, const struct store_bot *bot)
{
    (void)bot;
    ++*(int *)context;
    return 0;
}

Test(interface, a_bot_that_is_not_sound_is_refused)
{
    const struct store_package package = {(const uint8_t *)"p", 1};
    int count = 0;

    for (size_t i = 0; i < sizeof bot_rows / sizeof *bot_rows; i++) {
        struct store_bot bot = fixture_bot("new", "1");

        bot_rows[i].spoil_fn(&bot);
        cr_expect_eq(store_bot_add(fixture.store, &bot, package, package), -EINVAL, "%s",
                     bot_rows[i].column);
        cr_expect(strstr(store_failure(fixture.store), bot_rows[i].column), "%s: %s",
                  bot_rows[i].column, store_failure(fixture.store));
    }
    cr_expect_eq(store_bots_each(fixture.store, count_bot, &count), 0);
    cr_expect_eq(count, 2);
}

Test(interface, a_package_has_a_limit)
{
    /* Never read: only its size matters. */
    const struct store_package large = {(const uint8_t *)"p", (size_t)STORE_PACKAGE_BYTES_MAX + 1};
    const struct store_package small = {(const uint8_t *)"p", 1};
    struct store_bot bot = fixture_bot("new", "1");

    cr_expect_eq(store_bot_add(fixture.store, &bot, large, small), -EINVAL);
    cr_expect(strstr(store_failure(fixture.store), "256"), "%s", store_failure(fixture.store));
    cr_expect_eq(store_bot_add(fixture.store, &bot, small, large), -EINVAL);
    cr_expect_eq(store_bot_find(fixture.store, "new", NULL, &bot), -ENOENT);
}

static const struct {
    const char *rule;
    int group, rotation, rank, score, reason;
    int64_t us;
    int error;
} game_rows[] = {
    {"sound", 0, 0, 1, 50, WIRE_PLAYED, 7, 0},
    {"a rotation for each player", 0, 2, 1, 50, WIRE_PLAYED, 7, -EINVAL},
    {"no rotation before the first", 0, -1, 1, 50, WIRE_PLAYED, 7, -EINVAL},
    {"groups count from 0", -1, 0, 1, 50, WIRE_PLAYED, 7, -EINVAL},
    {"ranks count from 1", 1, 0, 0, 50, WIRE_PLAYED, 7, -EINVAL},
    {"no rank below the last", 1, 0, 3, 50, WIRE_PLAYED, 7, -EINVAL},
    {"scores are those of a game", 1, 0, 1, 1 << 20, WIRE_PLAYED, 7, -EINVAL},
    {"reasons are known", 1, 0, 1, 50, WIRE_REASON_COUNT, 7, -EINVAL},
    {"the last reason is known", 1, 0, 1, 50, WIRE_REASON_COUNT - 1, 7, 0},
    {"time does not run back", 1, 1, 1, 50, WIRE_PLAYED, -1, -EINVAL},
};

Test(interface, a_game_that_is_not_sound_is_refused)
{
    for (size_t i = 0; i < sizeof game_rows / sizeof *game_rows; i++) {
        struct store_game game = fixture_game(0, 0);
        int error;

        game.group = game_rows[i].group;
        game.rotation = game_rows[i].rotation;
        game.seats[1].rank = game_rows[i].rank;
        game.seats[1].score = game_rows[i].score;
        game.seats[1].reason = (enum wire_reason)game_rows[i].reason;
        game.seats[1].us = game_rows[i].us;
        error = store_game_add(fixture.store, fixture.season.id, &game, (uint8_t *)"r", 1);
        cr_expect_eq(error, game_rows[i].error, "%s: %d %s", game_rows[i].rule, error,
                     store_failure(fixture.store));
    }
}

/* ---- transactions ---- */

Test(interface, a_transaction_with_a_failed_call_is_rolled_back)
{
    struct store_game game = fixture_game(0, 0), second = fixture_game(1, 0);
    int64_t id = fixture.season.id;

    cr_assert_eq(store_game_add(fixture.store, id, &game, (uint8_t *)"r", 1), 0);
    cr_assert_eq(store_begin(fixture.store), 0);
    cr_expect_eq(store_game_add(fixture.store, id, &second, (uint8_t *)"r", 1), 0);
    cr_expect_eq(store_game_add(fixture.store, id, &game, (uint8_t *)"r", 1), -EEXIST);
    store_rollback(fixture.store);
    cr_expect_eq(store_game_add(fixture.store, id, &second, (uint8_t *)"r", 1), 0);
}

/* ---- what an each_fn may do ---- */

static int read_more(void *context, const struct store_bot *bot)
{
    struct store_bot found;
    int count = 0;

    cr_expect_eq(store_bot_find(fixture.store, bot->name, NULL, &found), 0);
    cr_expect_eq(found.id, bot->id);
    cr_expect_eq(store_bots_each(fixture.store, count_bot, &count), 0); /* this very call */
    cr_expect_eq(count, 2);
    ++*(int *)context;
    return 0;
}

Test(interface, an_each_fn_may_read)
{
    int count = 0;

    cr_expect_eq(store_bots_each(fixture.store, read_more, &count), 0);
    cr_expect_eq(count, 2);
}

/* ---- claims ---- */

Test(interface, a_claim_lasts_until_the_close)
{
    cr_expect_eq(store_season_claim(fixture.store, "spring", true), 0);
    cr_expect_eq(store_season_claim(fixture.store, "spring", true), 0, "by who has it");
    fixture_reopen(&fixture, STORE_WRITE); /* the close releases the claim */
    cr_expect_eq(store_season_claim(fixture.store, "spring", true), 0);
    cr_expect_eq(store_season_claim(fixture.store, "../spring", true), -ENOENT);
}

/* The daemon looks at the claims of seasons that it plays itself, through other connections. */
Test(interface, a_look_at_a_claim_does_not_end_it)
{
    char owner[STORE_OWNER_BYTES] = "";
    struct store *other;

    cr_assert_eq(store_season_claim(fixture.store, "spring", false), 0);
    cr_assert_eq(store_open(&other, store_url(fixture.store), STORE_WRITE), 0, "%s",
                 store_failure(other));
    for (int i = 0; i < 2; i++) {
        cr_expect_eq(store_claim_read(other, "spring", owner), 0);
        cr_expect_str_neq(owner, "");
        cr_expect_eq(store_season_claim(other, "spring", false), -EBUSY);
    }
    store_close(other);
    cr_assert_eq(store_open(&other, store_url(fixture.store), STORE_WRITE), 0);
    cr_expect_eq(store_season_claim(other, "spring", false), -EBUSY, "also after a close");
    store_close(other);
}

Test(interface, manifests_come_back_as_they_were)
{
    const struct store_package package = {(const uint8_t *)"p", 1};
    struct store_bot bot = fixture_bot("new", "1");
    char *text;

    bot.manifest = "{\"run\": [\"./bot\"]}";
    cr_assert_eq(store_bot_add(fixture.store, &bot, package, package), 0);
    cr_assert_eq(store_manifest_read(fixture.store, bot.id, &text), 0);
    cr_expect_str_eq(text, "{\"run\": [\"./bot\"]}");
    free(text);
    cr_expect_eq(store_manifest_read(fixture.store, 99, &text), -ENOENT);
}

/* What a season has is read as it was written, each term once set and once not. */
static const struct store_season terms[] = {
    {.name = "all",
     .player_counts = {2, 4},
     .player_count_count = 2,
     .board = STORE_BOARD_BOTH,
     .clock = {1, 2, 3, 4},
     .play = {5 << 20, 2, true, false},
     .authors_free = true,
     .publishes_errors = true,
     .keep_games = 7,
     .budget_games = 12,
     .created_us = 6},
    {.name = "others",
     .player_counts = {2, 3, 4},
     .player_count_count = 3,
     .play = {.pin = true},
     .is_practice = true,
     .prunes = true,
     .until_decided = true},
};

static void expect_terms(const struct store_season *read, const struct store_season *written)
{
    cr_expect_eq(read->player_count_count, written->player_count_count);
    for (int i = 0; i < written->player_count_count; i++)
        cr_expect_eq(read->player_counts[i], written->player_counts[i]);
    cr_expect_eq((int)read->board, (int)written->board);
    cr_expect_eq(read->clock.turn_ms, written->clock.turn_ms);
    cr_expect_eq(read->clock.bank_ms, written->clock.bank_ms);
    cr_expect_eq(read->clock.gain_ms, written->clock.gain_ms);
    cr_expect_eq(read->clock.start_ms, written->clock.start_ms);
    cr_expect_eq(read->play.memory_bytes, written->play.memory_bytes);
    cr_expect_eq(read->play.tier, written->play.tier);
    cr_expect_eq(read->play.freeze, written->play.freeze);
    cr_expect_eq(read->play.pin, written->play.pin);
    cr_expect_eq(read->authors_free, written->authors_free);
    cr_expect_eq(read->is_practice, written->is_practice);
    cr_expect_eq(read->publishes_errors, written->publishes_errors);
    cr_expect_eq(read->prunes, written->prunes);
    cr_expect_eq(read->keep_games, written->keep_games);
    cr_expect_eq(read->budget_games, written->budget_games);
    cr_expect_eq(read->until_decided, written->until_decided);
    cr_expect_eq(read->created_us, written->created_us);
    cr_expect(!read->closing_us && !read->closed_us);
}

Test(interface, terms_come_back_as_they_were)
{
    struct store_opening opening = {.commitment = FIXTURE_COMMITMENT, .opened_us = 5};

    for (size_t i = 0; i < sizeof terms / sizeof *terms; i++) {
        struct store_season season = terms[i], read;

        cr_assert_eq(store_season_add(fixture.store, &season, &opening), 0, "%s",
                     store_failure(fixture.store));
        cr_expect_eq(store_season_add(fixture.store, &season, &opening), -EEXIST);
        cr_assert_eq(store_season_find(fixture.store, season.name, &read), 0);
        cr_expect_gt(read.id, fixture.season.id);
        expect_terms(&read, &terms[i]);
    }
}

static int take_group(void *context, const struct store_group *group)
{
    struct store_group **next = context;

    *(*next)++ = *group;
    return 0;
}

/* More than fit into one statement, of every table size. */
Test(interface, a_batch_comes_back_as_it_was)
{
    enum {
        FIRST = 4,
        COUNT = 77
    };
    const struct store_package package = {(const uint8_t *)"p", 1};
    struct store_batch batch = {.number = 1, .connection = store_connection(fixture.store)};
    struct store_entry entries[] = {{2, 0, 1}, {3, 0, 1}};
    struct store_group groups[COUNT], read[FIRST + COUNT], *next = read;

    for (int i = 0; i < 2; i++) {
        struct store_bot bot = fixture_bot("new", "1");

        bot.name[0] = (char)('x' + i);
        cr_assert_eq(store_bot_add(fixture.store, &bot, package, package), 0);
        entries[i].bot_id = bot.id;
    }
    for (int i = 0; i < COUNT; i++)
        groups[i] = (struct store_group){.number = FIRST + i,
                                         .batch = 1,
                                         .board = (enum board_side)(i % 2),
                                         .player_count = 2 + i % 3,
                                         .base = {i % 4, (i + 1) % 4, (i + 2) % 4, (i + 3) % 4}};
    cr_assert_eq(store_event_latest(fixture.store, &batch.event), 0);
    cr_assert_eq(
        store_batch_add(fixture.store, fixture.season.id, &batch, entries, 2, groups, COUNT), 0,
        "%s", store_failure(fixture.store));
    cr_assert_eq(store_groups_each(fixture.store, fixture.season.id, take_group, &next), 0, "%s",
                 store_failure(fixture.store));
    cr_assert_eq(next, read + FIRST + COUNT);
    for (int i = 0; i < COUNT; i++) {
        cr_expect_eq(read[FIRST + i].number, groups[i].number);
        cr_expect_eq((int)read[FIRST + i].board, (int)groups[i].board);
        cr_expect_eq(read[FIRST + i].player_count, groups[i].player_count);
        for (int seat = 0; seat < groups[i].player_count; seat++)
            cr_expect_eq(read[FIRST + i].base[seat], groups[i].base[seat], "%d %d", i, seat);
    }
    groups[0].base[1] = groups[0].base[0];
    groups[0].number = FIRST + COUNT;
    batch.number = 2;
    cr_assert_eq(store_event_latest(fixture.store, &batch.event), 0);
    cr_expect_eq(store_batch_add(fixture.store, fixture.season.id, &batch, NULL, 0, groups, 1),
                 -EINVAL, "a bot does not play against itself");
}

static int pass_bot(void *context, const struct store_bot *bot)
{
    return 0;
}

static bool is_over(void *looks_left)
{
    return --*(int *)looks_left < 0;
}

static bool server_is_busy(void)
{
    int64_t count;

    cr_assert_eq(sql_number(fixture.store,
                            SQL("SELECT count(*) FROM pg_stat_activity WHERE state = 'active'"
                                " AND pid <> pg_backend_pid() AND query LIKE '%endless%'"),
                            &count),
                 0);
    return count > 0;
}

Test(interface, what_nobody_waits_for_is_given_up)
{
    static const char endless[] = "WITH RECURSIVE endless (n) AS (SELECT 1 UNION ALL SELECT 1 - n"
                                  " FROM endless) SELECT count(*) FROM endless";
    const struct timespec pause = {.tv_nsec = 100000000};
    int looks_left = 4;
    int64_t count;

    store_watch(fixture.store, is_over, &looks_left);
    cr_expect_eq(sql_number(fixture.store, SQL(endless), &count), -ETIMEDOUT);
    cr_expect(strstr(store_failure(fixture.store), "nobody waits"));
    cr_expect_eq(store_bots_each(fixture.store, pass_bot, NULL), -ETIMEDOUT);
    cr_expect_eq(store_begin(fixture.store), -ETIMEDOUT);
    looks_left = 1000;
    cr_assert_eq(store_begin(fixture.store), 0);
    looks_left = 0;
    cr_expect_eq(store_ban_add(fixture.store, NULL, "x", false, 3), 0);
    cr_assert_eq(store_commit(fixture.store), 0);
    store_watch(fixture.store, NULL, NULL);
    cr_expect_eq(store_bots_each(fixture.store, pass_bot, NULL), 0);
    for (int i = 0; i < 600 && fixture_has_server() && server_is_busy(); i++)
        nanosleep(&pause, NULL);
    cr_expect(!fixture_has_server() || !server_is_busy());
}
