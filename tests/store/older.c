/*
 * Stores of every older schema: tests/golden/store has the output of `sqlite3 arena.db .dump` for
 * each version. Each store is upgraded, still has its contents, and then works like a new one.
 */
#include <criterion/criterion.h>
#include <errno.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

TestSuite(older, .init = create, .fini = finish);

static void find_file(char path[static 128])
{
    snprintf(path, 128, "%s/arena.db", fixture.home);
}

/* Replaces the fixture's store with one of an older version. Returns false if there is no dump. */
static bool load(int version)
{
    char name[512], path[128];
    sqlite3 *connection;
    char *sql;
    long size;
    FILE *file;

    snprintf(name, sizeof name, TEST_SOURCE_DIR "/tests/golden/store/sqlite-%d.sql", version);
    file = fopen(name, "r");
    if (!file)
        return false;
    fseek(file, 0, SEEK_END);
    size = ftell(file);
    rewind(file);
    sql = calloc(1, (size_t)size + 1);
    cr_assert_eq(fread(sql, 1, (size_t)size, file), (size_t)size);
    fclose(file);
    store_close(fixture.store);
    fixture.store = NULL;
    find_file(path);
    cr_assert_eq(remove(path), 0);
    cr_assert_eq(sqlite3_open(path, &connection), SQLITE_OK);
    cr_assert_eq(sqlite3_exec(connection, sql, NULL, NULL, NULL), SQLITE_OK, "%d: %s", version,
                 sqlite3_errmsg(connection));
    sqlite3_close(connection);
    free(sql);
    return true;
}

/* Returns the tables with their columns, and the indexes, as one text. */
static char *describe(void)
{
    static const char *const sql =
        "SELECT group_concat(line, char(10)) FROM (SELECT m.name || ' ' || c.name || ' ' || c.type"
        " || c.\"notnull\" || c.pk AS line FROM sqlite_master AS m, pragma_table_info(m.name) AS c"
        " WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite%' UNION SELECT 'index ' || name FROM"
        " sqlite_master WHERE type = 'index' AND name NOT LIKE 'sqlite%' ORDER BY 1)";
    char path[128], *text;
    sqlite3 *connection;
    sqlite3_stmt *statement;

    find_file(path);
    cr_assert_eq(sqlite3_open(path, &connection), SQLITE_OK);
    cr_assert_eq(sqlite3_prepare_v2(connection, sql, -1, &statement, NULL), SQLITE_OK, "%s",
                 sqlite3_errmsg(connection));
    cr_assert_eq(sqlite3_step(statement), SQLITE_ROW);
    text = strdup((const char *)sqlite3_column_text(statement, 0));
    sqlite3_finalize(statement);
    sqlite3_close(connection);
    return text;
}

static int count_bot(void *context, const struct store_bot *bot)
{
    (void)bot;
    ++*(int *)context;
    return 0;
}

static int look_at_game(void *context, const struct store_game *game)
{
    cr_expect_eq(game->group, 0);
    cr_expect_eq(game->player_count, 2);
    cr_expect_eq(game->seats[0].score, game->rotation ? 50 : 60);
    cr_expect_eq(game->started_us, 1700000004000000 + game->rotation);
    cr_expect_eq(game->opening, 0);
    cr_expect_eq(game->forfeits != NULL, game->rotation == 0);
    ++*(int *)context;
    return 0;
}

static void look(int version)
{
    struct store_season season;
    struct store_bot bot;
    uint8_t *bytes;
    size_t size;
    int count = 0;

    cr_assert_eq(store_check(fixture.store), 0, "%d: %s", version, store_failure(fixture.store));
    cr_assert_eq(store_bots_each(fixture.store, count_bot, &count), 0);
    cr_expect_eq(count, 3);
    cr_assert_eq(store_bot_find(fixture.store, "second", "1", &bot), 0);
    cr_expect_eq(bot.retired_us, 1700000005000000);
    cr_assert_eq(store_season_find(fixture.store, "spring", &season), 0);
    cr_expect(season.budget_games == 100 && season.player_counts[1] == 3 && !season.closed_us);
    cr_expect_eq(season.play.memory_bytes, 805306368);
    cr_expect(season.play.freeze && !season.play.pin && !season.same_cpu);
    count = 0;
    cr_assert_eq(store_games_each(fixture.store, season.id, look_at_game, &count), 0, "%d: %s",
                 version, store_failure(fixture.store));
    cr_expect_eq(count, 2);
    cr_assert_eq(store_replay_find(fixture.store, "spring-000000-1", &bytes, &size), 0);
    cr_expect(size == 6 && memcmp(bytes, "replay", 6) == 0);
    free(bytes);
}

Test(older, stores_are_brought_up_to_date)
{
    int newest = store_version(fixture.store);
    char *schema = describe();

    for (int version = 1; version < newest; version++) {
        struct store_game game = fixture_game(1, 0);
        char *upgraded;

        cr_assert(load(version), "tests/golden/store lacks sqlite-%d.sql", version);
        cr_assert_eq(store_open(&fixture.store, fixture.home, STORE_WRITE), 0, "%d: %s", version,
                     store_failure(fixture.store));
        cr_expect_eq(store_version(fixture.store), newest);
        look(version);
        upgraded = describe();
        cr_expect_str_eq(upgraded, schema, "from version %d", version);
        free(upgraded);
        game.opening = 1;
        cr_expect_eq(store_game_add(fixture.store, 1, &game, (uint8_t *)"r", 1), 0, "%d: %s",
                     version, store_failure(fixture.store));
    }
    free(schema);
}
