/* SPDX-License-Identifier: MIT */
/*
 * Damage by a disk or a power failure: reading returns an error or all games, never silently fewer.
 */
#include <criterion/criterion.h>
#include <errno.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

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

TestSuite(damaged, .init = create, .fini = finish);

static int count_game(void *context, const struct store_game *game)
{
    (void)game;
    ++*(int *)context;
    return 0;
}

static void play(int group_count)
{
    for (int group = 0; group < group_count; group++)
        for (int rotation = 0; rotation < 2; rotation++) {
            struct store_game game = fixture_game(group, rotation);

            cr_assert_eq(store_game_add(fixture.store, fixture.season.id, &game,
                                        (const uint8_t *)"replay", 6),
                         0, "%s", store_failure(fixture.store));
        }
}

/* Overwrites the page with the last rows of table game: the right-most leaf of its tree. */
static void break_last_games(void)
{
    char path[128];
    uint8_t head[100], page[12];
    sqlite3 *connection;
    sqlite3_stmt *find;
    long page_bytes, number;
    FILE *file;

    snprintf(path, sizeof path, "%s/arena.db", fixture.home);
    cr_assert_eq(sqlite3_open(path, &connection), SQLITE_OK);
    cr_assert_eq(sqlite3_prepare_v2(connection,
                                    "SELECT rootpage FROM sqlite_schema WHERE name = 'game'", -1,
                                    &find, NULL),
                 SQLITE_OK);
    cr_assert_eq(sqlite3_step(find), SQLITE_ROW);
    number = sqlite3_column_int(find, 0);
    sqlite3_finalize(find);
    sqlite3_close(connection); /* the last one moves the log into the file */
    file = fopen(path, "r+");
    cr_assert_eq(fread(head, sizeof head, 1, file), 1);
    page_bytes = head[16] << 8 | head[17];
    for (;;) {
        fseek(file, (number - 1) * page_bytes, SEEK_SET);
        cr_assert_eq(fread(page, sizeof page, 1, file), 1);
        if (page[0] != 2 && page[0] != 5) /* no inner page: a leaf */
            break;
        number = (long)page[8] << 24 | page[9] << 16 | page[10] << 8 | page[11];
    }
    fseek(file, (number - 1) * page_bytes, SEEK_SET);
    memset(page, 0xff, sizeof page);
    cr_assert_eq(fwrite(page, sizeof page, 1, file), 1);
    fclose(file);
}

Test(damaged, a_read_error_among_the_games_is_an_error)
{
    enum {
        GROUPS = 100
    };
    int count = 0;

    fixture_fill(&fixture, GROUPS);
    play(GROUPS);
    cr_assert_eq(store_results_each(fixture.store, fixture.season.id, 0, count_game, &count), 0);
    cr_assert_eq(count, 2 * GROUPS);
    store_close(fixture.store);
    break_last_games();
    cr_assert_eq(store_open(&fixture.store, fixture.home, STORE_READ), 0);
    count = 0;
    cr_expect_eq(store_results_each(fixture.store, fixture.season.id, 0, count_game, &count),
                 -EBADMSG, "%s", store_failure(fixture.store));
    cr_expect_gt(count, 0, "it failed before the first game");
    cr_expect_lt(count, 2 * GROUPS);
}

/* ---- a log left behind ---- */

enum reading {
    READ_ALL = 0,     /* all games were there */
    READ_REFUSED = 1, /* the store could not be read, and said why */
    READ_STALE = 2,   /* as if the games of the log had not been played */
    READ_UNTRIED = 3, /* as this user nothing is read-only */
};

/* Reads in a process of its own, as a user for whom the folder is read-only. */
static int read_as_another(const char *home)
{
    struct store *store;
    int count, result = READ_REFUSED;

    if (geteuid() == 0 && (setgid(65534) < 0 || setuid(65534) < 0))
        return READ_UNTRIED;
    if (access(home, W_OK) == 0)
        return READ_UNTRIED;
    if (store_open(&store, home, STORE_READ) == 0) {
        count = 0;
        if (store_results_each(store, fixture.season.id, 0, count_game, &count) == 0)
            result = count == 2 ? READ_ALL : READ_STALE;
    }
    if (result == READ_REFUSED && !*store_failure(store))
        result = READ_STALE;
    store_close(store);
    return result;
}

Test(damaged, a_log_in_a_read_only_folder_is_not_passed_over)
{
    char home[sizeof fixture.home + 8], command[1024];
    pid_t child;
    int status;

    fixture_fill(&fixture, 1);
    fixture_reopen(&fixture, STORE_WRITE); /* what is filled in is in the file */
    play(1);
    /* A copy as after a power failure: the games are in the log only. */
    snprintf(home, sizeof home, "%s-cut", fixture.home);
    snprintf(
        command, sizeof command,
        "mkdir %s && cp %s/arena.db %s/arena.db-wal %s && test -s %s/arena.db-wal && "
        "{ [ $(id -u) != 0 ] || chown -R 65534:65534 %s; } && chmod 0500 %s && chmod 0400 %s/*",
        home, fixture.home, fixture.home, home, home, home, home, home);
    cr_assert_eq(system(command), 0);
    child = fork();
    if (child == 0)
        _exit(read_as_another(home));
    cr_assert_eq(waitpid(child, &status, 0), child);
    snprintf(command, sizeof command, "chmod 0700 %s && rm -r %s", home, home);
    cr_assert_eq(system(command), 0);
    cr_assert(WIFEXITED(status));
    if (WEXITSTATUS(status) == READ_UNTRIED)
        cr_skip_test("nothing is read-only to this user");
    cr_expect(WEXITSTATUS(status) == READ_ALL || WEXITSTATUS(status) == READ_REFUSED,
              "games of the log were passed over");
}
