/* SPDX-License-Identifier: MIT */
/* Stored data is read back; refused data changes nothing. */
#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena/store/sql.h"
#include "tests/store/fixture.h"

static struct fixture fixture;

static void create(void)
{
    fixture_create(&fixture);
}

static void finish(void)
{
    fixture_remove(&fixture);
}

TestSuite(store, .init = create, .fini = finish);

static int count_game(void *context, const struct store_game *game)
{
    struct store_game expected = fixture_game(game->group, game->rotation);

    for (int seat = 0; seat < 2; seat++) {
        cr_expect_eq(game->seats[seat].entry, expected.seats[seat].entry);
        cr_expect_eq(game->seats[seat].score, expected.seats[seat].score);
        cr_expect_eq(game->seats[seat].rank, expected.seats[seat].rank);
        cr_expect_eq(game->seats[seat].us_max, expected.seats[seat].us_max);
        cr_expect_eq(game->seats[seat].times_bytes, expected.seats[seat].times_bytes);
        cr_expect_arr_eq(game->seats[seat].times, expected.seats[seat].times,
                         expected.seats[seat].times_bytes);
    }
    ++*(int *)context;
    return 0;
}

static int count_games(void)
{
    int count = 0;

    cr_assert_eq(store_results_each(fixture.store, fixture.season.id, 0, count_game, &count), 0);
    return count;
}

Test(store, a_game_counts_once)
{
    struct store_game game = fixture_game(1, 0);

    fixture_fill(&fixture, 4);
    cr_expect_eq(store_game_add(fixture.store, fixture.season.id, &game, (uint8_t *)"r", 1), 0);
    cr_expect_eq(store_game_add(fixture.store, fixture.season.id, &game, (uint8_t *)"x", 1),
                 -EEXIST);
    cr_expect_eq(count_games(), 1);
    fixture_reopen(&fixture, STORE_READ);
    cr_expect_eq(count_games(), 1);
}

Test(store, a_group_that_was_not_scheduled_has_no_games)
{
    struct store_game game = fixture_game(9, 0);

    fixture_fill(&fixture, 4);
    cr_expect_lt(store_game_add(fixture.store, fixture.season.id, &game, (uint8_t *)"r", 1), 0);
    cr_expect_eq(count_games(), 0);
    cr_expect_eq(store_check(fixture.store), 0);
}

static int see_details(void *context, const struct store_game *game)
{
    cr_expect_eq(game->wall_us, 500);
    cr_expect_eq(game->started_us, 1000 + game->group);
    cr_expect_eq(game->layers, 3);
    cr_expect_eq(game->decision_count, 60);
    cr_expect_eq(game->opening, 0);
    cr_expect(game->seed[0] == game->group && game->seed[1] == game->rotation &&
              game->seed[2] == 7);
    cr_expect_eq(game->forfeits != NULL, game->group == 2);
    return count_game(context, game);
}

Test(store, games_come_in_order_with_their_details)
{
    int count = 0;

    fixture_fill(&fixture, 4);
    for (int i = 7; i >= 0; i--) { /* the last first */
        struct store_game game = fixture_game(i / 2, i % 2);

        if (game.group == 2)
            game.forfeits = "[null, {}]";
        cr_assert_eq(store_game_add(fixture.store, fixture.season.id, &game, (uint8_t *)"r", 1), 0);
    }
    cr_expect_eq(store_games_verify(fixture.store, fixture.season.id, 0, STORE_ALL_GROUPS, NULL,
                                    see_details, &count),
                 0);
    cr_expect_eq(count, 8);
}

struct order {
    int count, last;
};

static int see_order(void *context, const struct store_game *game)
{
    struct order *order = context;
    int place = 2 * game->group + game->rotation;

    cr_expect_eq(place, order->last + 1);
    cr_expect_eq(game->seats[0].times[1], 30);
    order->last = place;
    order->count++;
    return 0;
}

/* More games than a page of any listing has. */
Test(store, games_come_in_order_page_by_page)
{
    enum {
        GROUPS = 1100
    };
    struct order order = {0, -1};
    int64_t id;

    fixture_fill(&fixture, GROUPS);
    id = fixture.season.id;
    cr_assert_eq(store_begin(fixture.store), 0);
    for (int i = 0; i < 2 * GROUPS; i++) {
        struct store_game game = fixture_game(i / 2, i % 2);

        cr_assert_eq(store_game_add(fixture.store, id, &game, (uint8_t *)"r", 1), 0);
    }
    cr_assert_eq(store_commit(fixture.store), 0);
    cr_expect_eq(store_results_each(fixture.store, id, 0, see_order, &order), 0);
    cr_expect_eq(order.count, 2 * GROUPS);
    order = (struct order){0, -1};
    cr_expect_eq(store_games_each(fixture.store, id, see_order, &order), 0);
    cr_expect_eq(order.count, 2 * GROUPS);
    order = (struct order){0, 2 * 1050 - 1};
    cr_expect_eq(store_results_each(fixture.store, id, 1050, see_order, &order), 0);
    cr_expect_eq(order.count, 100);
}

struct of_bot {
    int entry, count;
};

static int see_of_bot(void *context, const struct store_game *game)
{
    struct of_bot *of = context;

    cr_expect(game->seats[0].entry == of->entry || game->seats[1].entry == of->entry);
    cr_expect_eq(game->board, of->entry < 2 ? BOARD_COLORED : BOARD_GRAY);
    of->count++;
    return 0;
}

/* Adds two bots who play each other in a further group, on the gray side; and all games. */
static void add_others(int group_count)
{
    static const struct store_entry entries[] = {{2, 3, 1}, {3, 4, 1}};
    struct store_batch batch = {.number = 1};
    struct store_group group = {
        .number = group_count, .batch = 1, .board = BOARD_GRAY, .player_count = 2, .base = {2, 3}};

    for (int i = 0; i < 2; i++) {
        struct store_bot bot = fixture_bot(i ? "fourth" : "third", "1");
        const struct store_package package = {(const uint8_t *)"p", 1};

        cr_assert_eq(store_bot_add(fixture.store, &bot, package, package), 0);
    }
    batch.connection = store_connection(fixture.store);
    cr_assert_eq(store_event_latest(fixture.store, &batch.event), 0);
    cr_assert_eq(store_batch_add(fixture.store, fixture.season.id, &batch, entries, 2, &group, 1),
                 0, "%s", store_failure(fixture.store));
    for (int i = 0; i < 2 * group_count + 2; i++) {
        struct store_game game = fixture_game(i / 2, i % 2);

        for (int seat = 0; seat < 2 && i / 2 == group_count; seat++)
            game.seats[seat].entry += 2;
        cr_assert_eq(store_game_add(fixture.store, fixture.season.id, &game, (uint8_t *)"r", 1), 0);
    }
}

static char asked[SQL_TEXT_BYTES]; /* the last statement that began */

static int start_asked(struct sql_rows *rows, const struct sql_query *query)
{
    snprintf(asked, sizeof asked, "EXPLAIN QUERY PLAN %s", query->text);
    return sqlite_driver.start(rows, query);
}

/* A plan that reads a season's games to find one bot's would take minutes where others take none.
 */
static void expect_games_by_group(void)
{
    const struct sql_query *query = SQL(asked, sql_int(-1), sql_int(256), sql_int(1),
                                        sql_int(STORE_ALL_GROUPS), sql_text("fourth"));
    char plan[1024] = "";

    cr_expect_eq(SQL_EACH(fixture.store, query,
                          snprintf(plan + strlen(plan), sizeof plan - strlen(plan), "%s\n",
                                   row_text_or_null(&rows, 3)),
                          0),
                 0, "%s", store_failure(fixture.store));
    cr_expect(strstr(plan, "SEARCH game USING PRIMARY KEY (season=? AND game_group=?)"), "%s",
              plan);
    cr_expect_null(strstr(plan, "SCAN"), "%s", plan);
    cr_expect_null(strstr(plan, "TEMP B-TREE"), "%s", plan);
}

Test(store, games_of_one_bot_are_found_by_their_groups)
{
    struct sql_driver asking = sqlite_driver;
    struct of_bot first = {0, 0}, fourth = {3, 0};
    struct store *store;

    fixture_fill(&fixture, 4);
    add_others(4);
    cr_expect_eq(store_games_verify(fixture.store, fixture.season.id, 0, STORE_ALL_GROUPS, "first",
                                    see_of_bot, &first),
                 0);
    cr_expect_eq(first.count, 8);
    cr_expect_eq(
        store_games_verify(fixture.store, fixture.season.id, 1, 3, "first", see_of_bot, &first), 0);
    cr_expect_eq(first.count, 8 + 4);
    if (fixture_has_server())
        return;
    asking.start = start_asked;
    cr_assert_eq(store_open_driver(&store, &asking, fixture.home, STORE_READ), 0);
    cr_expect_eq(store_games_verify(store, fixture.season.id, 0, STORE_ALL_GROUPS, "fourth",
                                    see_of_bot, &fourth),
                 0);
    cr_expect_eq(fourth.count, 2);
    store_close(store);
    expect_games_by_group();
}

/* As of a bot whose games no machine can play yet: more of them than a page has. */
Test(store, games_of_one_bot_are_found_behind_groups_without_games)
{
    enum {
        GROUPS = 700,
        PLAYED = 600, /* the first group that has games */
    };
    struct order order = {0, 2 * PLAYED - 1};

    fixture_fill(&fixture, GROUPS);
    cr_assert_eq(store_begin(fixture.store), 0);
    for (int i = 2 * PLAYED; i < 2 * GROUPS; i++) {
        struct store_game game = fixture_game(i / 2, i % 2);

        cr_assert_eq(store_game_add(fixture.store, fixture.season.id, &game, (uint8_t *)"r", 1), 0);
    }
    cr_assert_eq(store_commit(fixture.store), 0);
    cr_expect_eq(store_games_verify(fixture.store, fixture.season.id, 0, STORE_ALL_GROUPS, "first",
                                    see_order, &order),
                 0);
    cr_expect_eq(order.count, 2 * (GROUPS - PLAYED));
}

static int stop(void *context, const struct store_game *game)
{
    (void)game;
    ++*(int *)context;
    return 1;
}

Test(store, an_iteration_can_be_stopped_and_begun_again)
{
    int count = 0;

    fixture_fill(&fixture, 4);
    for (int i = 0; i < 4; i++) {
        struct store_game game = fixture_game(i, 0);

        cr_assert_eq(store_game_add(fixture.store, fixture.season.id, &game, (uint8_t *)"r", 1), 0);
    }
    cr_expect_eq(store_results_each(fixture.store, fixture.season.id, 0, stop, &count), -EINTR);
    cr_expect_eq(store_games_each(fixture.store, fixture.season.id, stop, &count), -EINTR);
    cr_expect_eq(count, 2);
    cr_expect_eq(count_games(), 4);
}

Test(store, a_game_of_a_closed_opening_is_void)
{
    struct store_opening second = {.number = 1, .commitment = FIXTURE_COMMITMENT, .opened_us = 3};
    struct store_game game = fixture_game(0, 0);

    fixture_fill(&fixture, 2);
    cr_assert_eq(store_season_close(fixture.store, fixture.season.id, 2), 0);
    cr_expect_eq(store_game_add(fixture.store, fixture.season.id, &game, (uint8_t *)"r", 1),
                 -ECANCELED);
    cr_assert_eq(store_season_reopen(fixture.store, fixture.season.id, 9, &second), 0);
    cr_expect_eq(store_game_add(fixture.store, fixture.season.id, &game, (uint8_t *)"r", 1),
                 -ECANCELED, "begun under the seed that is published");
    cr_expect_eq(count_games(), 0);
    game.opening = 1;
    cr_expect_eq(store_game_add(fixture.store, fixture.season.id, &game, (uint8_t *)"r", 1), 0);
}

Test(store, a_replay_is_shown_once_its_game_has_ended)
{
    struct store_game game = fixture_game(0, 0);
    uint8_t *replay;
    size_t size;

    fixture_fill(&fixture, 2);
    cr_assert_eq(store_game_add(fixture.store, fixture.season.id, &game, (uint8_t *)"one", 3), 0);
    cr_expect_eq(store_replay_find(fixture.store, "spring-000000-1", &replay, &size), -ENOENT);
    cr_assert_eq(store_replay_find(fixture.store, "spring-000000-0", &replay, &size), 0);
    cr_expect_eq(size, 3);
    cr_expect_arr_eq(replay, "one", 3);
    free(replay);
    cr_expect_eq(store_replay_find(fixture.store, "autumn-000000-0", &replay, &size), -ENOENT);
    cr_expect_eq(store_replay_find(fixture.store, "nonsense", &replay, &size), -ENOENT);
}

static int add_version(const char *name, const char *version, struct store_bot *bot)
{
    const struct store_package given = {(const uint8_t *)"given", 5};
    const struct store_package built = {(const uint8_t *)"built", 5};

    *bot = fixture_bot(name, version);
    memset(bot->built_sha256, 'b', STORE_HASH_DIGITS);
    return store_bot_add(fixture.store, bot, given, built);
}

/* One row per submission, applied in order. */
static const struct {
    const char *rule, *name, *version, *author;
    bool take_over;
    int result;
    bool taken_over;
} submissions[] = {
    {"a new name", "bot", "1", "Ada", false, 0, false},
    {"another version of its author's", "bot", "2", "Ada", false, 0, false},
    {"the same version again", "bot", "2", "Ada", false, -EEXIST, false},
    {"another author", "bot", "3", "Bob", false, -EPERM, false},
    {"another author, with a version there is", "bot", "1", "Bob", false, -EPERM, false},
    {"a take-over of one's own", "bot", "3", "Ada", true, 0, false},
    {"a take-over of a new name", "other", "1", "Ada", true, 0, false},
    {"a take-over", "bot", "4", "Bob", true, 0, true},
    {"the new author's next", "bot", "5", "Bob", false, 0, false},
    {"the old author", "bot", "6", "Ada", false, -EPERM, false},
};

Test(store, a_name_belongs_to_its_author)
{
    for (size_t i = 0; i < sizeof submissions / sizeof *submissions; i++) {
        const struct store_package package = {(const uint8_t *)"given", 5};
        struct store_bot bot = fixture_bot(submissions[i].name, submissions[i].version), found;

        strcpy(bot.author, submissions[i].author);
        bot.taken_over = submissions[i].take_over;
        cr_expect_eq(store_bot_check(fixture.store, &bot), submissions[i].result, "%s: %s",
                     submissions[i].rule, store_failure(fixture.store));
        cr_expect_eq(store_bot_add(fixture.store, &bot, package, package), submissions[i].result,
                     "%s: %s", submissions[i].rule, store_failure(fixture.store));
        if (submissions[i].result == 0) {
            cr_assert_eq(store_bot_find(fixture.store, bot.name, bot.version, &found), 0);
            cr_expect_eq(found.taken_over, submissions[i].taken_over, "%s", submissions[i].rule);
        }
    }
}

Test(store, versions_of_a_name_follow_each_other)
{
    struct store_bot one, two, found;
    uint8_t *package;
    size_t size;

    cr_assert_eq(add_version("bot", "1", &one), 0);
    cr_assert_eq(add_version("bot", "2", &two), 0);
    cr_expect_eq(one.previous_id, 0);
    cr_expect_eq(two.previous_id, one.id);
    cr_expect(two.newest);
    cr_expect_eq(add_version("bot", "1", &found), -EEXIST);
    cr_assert_eq(store_bot_find(fixture.store, "bot", "1", &found), 0);
    cr_expect_not(found.newest);
    cr_assert_eq(store_bot_find(fixture.store, "bot", NULL, &found), 0);
    cr_expect_eq(found.id, two.id);
    cr_assert_eq(store_package_read(fixture.store, found.built_sha256, &package, &size), 0);
    cr_expect_eq(size, 5);
    cr_expect_arr_eq(package, "built", 5);
    free(package);
}

Test(store, a_retired_name_plays_again_with_its_next_version)
{
    struct store_bot bot;

    cr_assert_eq(add_version("bot", "1", &bot), 0);
    cr_expect_eq(store_bot_retire(fixture.store, "bot", 7), 0);
    cr_expect_eq(store_bot_retire(fixture.store, "bot", 8), -EEXIST);
    cr_expect_eq(store_bot_retire(fixture.store, "nobody", 8), -ENOENT);
    cr_assert_eq(store_bot_find(fixture.store, "bot", NULL, &bot), 0);
    cr_expect_eq(bot.retired_us, 7);
    cr_assert_eq(add_version("bot", "2", &bot), 0);
    cr_expect_eq(bot.retired_us, 0);
    /* A bot that was read is added as a new one. */
    cr_assert_eq(store_bot_find(fixture.store, "bot", "1", &bot), 0);
    strcpy(bot.version, "3");
    bot.manifest = "{}";
    cr_assert_eq(store_bot_add(fixture.store, &bot, (struct store_package){(uint8_t *)"p", 1},
                               (struct store_package){(uint8_t *)"p", 1}),
                 0);
    cr_expect_eq(bot.retired_us, 0);
}

static int copy_openings(void *context, const struct store_opening *opening)
{
    struct store_opening *openings = context;

    openings[opening->number] = *opening;
    return 0;
}

Test(store, a_season_closes_once_and_opens_anew_with_another_seed)
{
    struct store_opening second = {
        .number = 1, .seed = {42}, .commitment = FIXTURE_COMMITMENT, .opened_us = 9};
    struct store_opening openings[2];
    struct store_season season;
    int64_t id;

    fixture_fill(&fixture, 1);
    id = fixture.season.id;
    cr_expect_eq(store_season_reopen(fixture.store, id, 5, &second), -EEXIST);
    cr_expect_eq(store_season_close(fixture.store, id, 8), 0);
    cr_expect_eq(store_season_close(fixture.store, id, 8), -EEXIST);
    cr_expect_eq(store_season_reopen(fixture.store, id, 300, &second), 0);
    cr_assert_eq(store_season_find(fixture.store, "spring", &season), 0);
    cr_expect_eq(season.closed_us, 0);
    cr_expect_eq(season.budget_games, 300);
    cr_expect_eq(season.player_count_count, 1);
    cr_expect_eq(season.player_counts[0], 2);
    cr_assert_eq(store_openings_each(fixture.store, id, copy_openings, openings), 0);
    cr_expect_eq(openings[0].closed_us, 8);
    cr_expect_eq(openings[1].seed[0], 42);
    cr_expect_eq(openings[1].closed_us, 0);
}

Test(store, a_transaction_is_kept_whole_or_not_at_all)
{
    struct store_game game = fixture_game(0, 0);

    fixture_fill(&fixture, 2);
    cr_assert_eq(store_begin(fixture.store), 0);
    cr_assert_eq(store_game_add(fixture.store, fixture.season.id, &game, (uint8_t *)"r", 1), 0);
    store_rollback(fixture.store);
    cr_expect_eq(count_games(), 0);
    cr_assert_eq(store_begin(fixture.store), 0);
    cr_assert_eq(store_game_add(fixture.store, fixture.season.id, &game, (uint8_t *)"r", 1), 0);
    cr_assert_eq(store_end(fixture.store, 0), 0);
    cr_expect_eq(count_games(), 1);
    game = fixture_game(1, 0);
    cr_assert_eq(store_begin(fixture.store), 0);
    cr_assert_eq(store_game_add(fixture.store, fixture.season.id, &game, (uint8_t *)"r", 1), 0);
    cr_expect_eq(store_end(fixture.store, -EINVAL), -EINVAL);
    cr_expect_eq(count_games(), 1);
}

static void add_games(int count)
{
    for (int i = 0; i < count; i++) {
        struct store_game game = fixture_game(i / 2, i % 2);

        if (i % 5 == 0)
            game.forfeits = "[null, {}]";
        cr_assert_eq(
            store_game_add(fixture.store, fixture.season.id, &game, (uint8_t *)"replay", 6), 0);
    }
}

/* Writes which replays exist, a digit per game: 1 kept, 0 pruned. */
static void read_kept(int count, char *kept)
{
    for (int i = 0; i < count; i++) {
        uint8_t *replay;
        size_t size;
        int error =
            store_replay_read(fixture.store, fixture.season.id, i / 2, i % 2, &replay, &size);

        kept[i] = error ? '0' : '1';
        cr_expect(error == 0 || error == -ENODATA, "game %d: %d", i, error);
        if (!error)
            free(replay);
    }
    kept[count] = '\0';
}

static int count_pruned(void *context, const struct store_game *game)
{
    *(int *)context += game->is_pruned;
    return 0;
}

Test(store, pruning_takes_the_oldest_replays_but_no_forfeit_and_no_result)
{
    /* Games 0, 5 and 10 are forfeits. */
    static const struct {
        const char *name;
        int64_t keep, count_max, pruned;
        const char *kept;
    } rows[] = {
        {"of nine others, the newest four stay", 4, 100, 5, "100001011111"},
        {"one at a time, the oldest first", 3, 1, 1, "100001001111"},
        {"what is pruned already is not counted again", 4, 100, 0, "100001001111"},
        {"a larger number than there are prunes nothing", 1000, 100, 0, "100001001111"},
        {"none but the forfeits", 0, 100, 3, "100001000010"},
    };
    struct store_pruned pruned, prunable;
    char kept[16];
    int marked = 0;

    fixture_fill(&fixture, 6);
    add_games(12);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        cr_assert_eq(
            store_replays_prunable(fixture.store, fixture.season.id, rows[i].keep, &prunable), 0);
        cr_assert_eq(store_replays_prune(fixture.store, fixture.season.id, rows[i].keep,
                                         rows[i].count_max, &pruned),
                     0, "%s", store_failure(fixture.store));
        cr_expect_eq(pruned.count, rows[i].pruned, "%s: %lld", rows[i].name,
                     (long long)pruned.count);
        cr_expect_eq(pruned.bytes, 6 * rows[i].pruned, "%s", rows[i].name);
        cr_expect_geq(prunable.count, pruned.count, "%s", rows[i].name);
        read_kept(12, kept);
        cr_expect_str_eq(kept, rows[i].kept, "%s", rows[i].name);
    }
    cr_expect_eq(count_games(), 12);
    cr_expect_eq(store_games_each(fixture.store, fixture.season.id, count_pruned, &marked), 0);
    cr_expect_eq(marked, 9);
    cr_expect_eq(store_check(fixture.store), 0);
    fixture_reopen(&fixture, STORE_READ);
    read_kept(12, kept);
    cr_expect_str_eq(kept, "100001000010");
}
