/* SPDX-License-Identifier: MIT */
/* The file itself: other versions, a full disk, missing permissions, damage. */
#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "arena/store/store.h"
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

TestSuite(file, .init = create, .fini = finish);

/* Runs SQL directly on the file, without the store. */
static void run_sql(const char *sql)
{
    char path[128];
    sqlite3 *connection;

    snprintf(path, sizeof path, "%s/arena.db", fixture.home);
    cr_assert_eq(sqlite3_open(path, &connection), SQLITE_OK);
    cr_assert_eq(sqlite3_exec(connection, sql, NULL, NULL, NULL), SQLITE_OK, "%s",
                 sqlite3_errmsg(connection));
    sqlite3_close(connection);
}

static int open_again(enum store_mode mode)
{
    store_close(fixture.store);
    return store_open(&fixture.store, fixture.home, mode);
}

static int count_game(void *context, const struct store_game *game)
{
    (void)game;
    ++*(int *)context;
    return 0;
}

static int count_games(struct store *store)
{
    int count = 0;

    cr_assert_eq(store_results_each(store, 1, 0, count_game, &count), 0, "%s",
                 store_failure(store));
    return count;
}

Test(file, a_store_that_had_its_version_elsewhere_is_left_alone)
{
    run_sql("PRAGMA user_version = 11");
    cr_expect_eq(open_again(STORE_WRITE), -ENOTSUP);
    cr_expect(strstr(store_failure(fixture.store), "made by an arena before 1.0"), "%s",
              store_failure(fixture.store));
}

Test(file, a_database_of_something_else_is_left_alone)
{
    run_sql("PRAGMA application_id = 1");
    cr_expect_eq(open_again(STORE_CREATE), -EBADMSG);
}

Test(file, what_is_no_database_is_left_alone)
{
    char path[128];
    FILE *file;

    snprintf(path, sizeof path, "%s/arena.db", fixture.home);
    store_close(fixture.store);
    file = fopen(path, "w");
    for (int i = 0; i < 1000; i++)
        fputs("no database\n", file);
    fclose(file);
    cr_expect_eq(store_open(&fixture.store, fixture.home, STORE_CREATE), -EBADMSG);
}

Test(file, no_store_is_told_and_not_made)
{
    struct store *store;

    cr_expect_eq(store_open(&store, "/tmp/there-is-no-arena-here", STORE_WRITE), -ENOENT);
    cr_expect(strstr(store_failure(store), "there is no store in"));
    store_close(store);
    cr_expect_neq(access("/tmp/there-is-no-arena-here", F_OK), 0);
}

Test(file, an_empty_file_is_not_a_new_store)
{
    char path[128];

    fixture_fill(&fixture, 1);
    store_close(fixture.store);
    snprintf(path, sizeof path, "%s/arena.db", fixture.home);
    cr_assert_eq(truncate(path, 0), 0);
    for (int mode = STORE_READ; mode <= STORE_CREATE; mode++) {
        cr_expect_eq(store_open(&fixture.store, fixture.home, (enum store_mode)mode), -EBADMSG);
        cr_expect(strstr(store_failure(fixture.store), "is empty"));
        if (mode < STORE_CREATE)
            store_close(fixture.store);
    }
}

Test(file, a_log_without_its_file_is_not_a_new_store)
{
    char path[128], log[160];
    FILE *file;

    store_close(fixture.store);
    snprintf(path, sizeof path, "%s/arena.db", fixture.home);
    snprintf(log, sizeof log, "%s-wal", path);
    cr_assert_eq(unlink(path), 0);
    file = fopen(log, "w");
    fputs("games", file);
    fclose(file);
    cr_expect_eq(store_open(&fixture.store, fixture.home, STORE_CREATE), -EBADMSG);
    cr_expect(strstr(store_failure(fixture.store), "its log"));
}

Test(file, a_new_store_leaves_no_draft)
{
    char command[256];

    snprintf(command, sizeof command, "test \"$(ls %s | grep -v '^arena.db-' | xargs)\" = arena.db",
             fixture.home);
    cr_expect_eq(system(command), 0);
}

static const struct {
    const char *rule;
    mode_t folder, file;
    const char *named; /* NULL: it opens */
} modes[] = {
    {"for its owner alone", 0700, 0600, NULL},
    {"others may read", 0755, 0644, NULL},
    {"others may write the folder", 0777, 0600, "chmod go-w"},
    {"others may write the folder, with the sticky bit", 01777, 0600, "chmod go-w"},
    {"others may write the file", 0700, 0602, "arena.db: other users may write to this path"},
};

Test(file, that_others_may_write_is_refused)
{
    char path[128];

    snprintf(path, sizeof path, "%s/arena.db", fixture.home);
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        int error;

        cr_assert_eq(chmod(fixture.home, modes[i].folder), 0);
        cr_assert_eq(chmod(path, modes[i].file), 0);
        error = open_again(STORE_READ);
        cr_expect_eq(error, modes[i].named ? -EPERM : 0, "%s: %d", modes[i].rule, error);
        if (modes[i].named)
            cr_expect(strstr(store_failure(fixture.store), modes[i].named), "%s", modes[i].rule);
    }
}

Test(file, damage_is_found)
{
    fixture_fill(&fixture, 4);
    cr_expect_eq(store_check(fixture.store), 0);
    run_sql("PRAGMA foreign_keys = OFF; DELETE FROM bot WHERE id = 2");
    cr_expect_eq(store_check(fixture.store), -EBADMSG);
}

Test(file, home_is_private)
{
    static const char *const folders[] = {"deep/er", "slash/", "deep/slashes//"};

    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        char path[PATH_MAX];
        struct stat status;

        snprintf(path, sizeof path, "%s/%s", fixture.home, folders[i]);
        cr_assert_eq(home_create(path), 0, "%s", folders[i]);
        cr_assert_eq(stat(path, &status), 0, "%s", folders[i]);
        cr_expect_eq(status.st_mode & 0777, 0700, "%s: %o", folders[i], status.st_mode);
        cr_expect_eq(home_create(path), 0, "%s", folders[i]);
    }
}

Test(file, is_for_its_owner_only_wherever_it_is)
{
    static const char *const names[] = {"arena.db", "arena.db-wal"};

    cr_assert_eq(chmod(fixture.home, 0755), 0);
    fixture_fill(&fixture, 1);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[PATH_MAX];
        struct stat status;

        snprintf(path, sizeof path, "%s/%s", fixture.home, names[i]);
        cr_assert_eq(stat(path, &status), 0, "%s", names[i]);
        cr_expect_eq(status.st_mode & 0777, 0600, "%s", names[i]);
    }
}

/* ---- URLs ---- */

static const struct {
    const char *rule;
    const char *format; /* of the URL, from the folder */
    int error;
} urls[] = {
    {"a folder", "%s", 0},
    {"a folder by its scheme", "sqlite:%s", 0},
    {"a file", "%s/arena.db", 0},
    {"a file by its scheme", "sqlite:%s/arena.db", 0},
    {"a folder without a store", "sqlite:%s/nowhere", -ENOENT},
    {"an unknown scheme", "mysql:%s", -EINVAL},
    {"a scheme that only begins like one", "sqlite3:%s", -EINVAL},
    {"no path", "sqlite:", -EINVAL},
    {"nothing", "", -EINVAL},
};

#pragma GCC diagnostic ignored "-Wformat-nonliteral"

Test(file, opened_by_url)
{
    for (size_t i = 0; i < sizeof urls / sizeof *urls; i++) {
        char url[256];
        int error;

        snprintf(url, sizeof url, urls[i].format, fixture.home);
        store_close(fixture.store);
        error = store_open(&fixture.store, url, STORE_READ);
        cr_expect_eq(error, urls[i].error, "%s: %d %s", urls[i].rule, error,
                     store_failure(fixture.store));
        cr_expect(error == 0 || *store_failure(fixture.store), "%s", urls[i].rule);
    }
}

static const struct {
    const char *option, *home, *xdg, *user;
    const char *path; /* NULL: not known */
} homes[] = {
    {"/o", "/h", "/x", "/u", "/o"},
    {NULL, "/h", "/x", "/u", "/h"},
    {NULL, "", "/x", "/u", "/x/pavilion"},
    {NULL, NULL, "relative", "/u", "/u/.local/share/pavilion"},
    {NULL, NULL, NULL, "/u", "/u/.local/share/pavilion"},
    {NULL, NULL, NULL, NULL, NULL},
    {"", "/h", "/x", "/u", NULL},
};

static void set(const char *name, const char *value)
{
    if (value)
        setenv(name, value, 1);
    else
        unsetenv(name);
}

Test(home, found_in_order)
{
    for (size_t i = 0; i < sizeof homes / sizeof *homes; i++) {
        char path[PATH_MAX];
        int error;

        set("ARENA_HOME", homes[i].home);
        set("XDG_DATA_HOME", homes[i].xdg);
        set("HOME", homes[i].user);
        error = home_find(homes[i].option, path);
        cr_assert_eq(error, homes[i].path ? 0 : -ENOENT, "row %zu", i);
        if (homes[i].path)
            cr_expect_str_eq(path, homes[i].path, "row %zu", i);
    }
}

/* ---- disks that fail, in a mount namespace of our own ---- */

/* Mounts a small tmpfs as the home, for this process only. Returns false if that is not allowed. */
static bool mount_home(const char *options)
{
    char text[64];
    uid_t uid = getuid();
    int fd;

    if (unshare(CLONE_NEWNS | (uid ? CLONE_NEWUSER : 0)) < 0)
        return false;
    if (uid) {
        fd = open("/proc/self/uid_map", O_WRONLY);
        snprintf(text, sizeof text, "0 %d 1", (int)uid);
        if (fd < 0 || write(fd, text, strlen(text)) < 0)
            return false;
        close(fd);
    }
    return mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
           mount("tmpfs", fixture.home, "tmpfs", 0, options) == 0;
}

Test(file, a_full_disk_loses_nothing_that_was_kept)
{
    static uint8_t replay[20000];
    int kept = 0, error = 0;

    store_close(fixture.store);
    fixture.store = NULL;
    if (!mount_home("size=1m,mode=0700"))
        cr_skip_test("needs a mount namespace");
    cr_assert_eq(store_open(&fixture.store, fixture.home, STORE_CREATE), 0);
    fixture_fill(&fixture, 500);
    for (; kept < 1000; kept++) {
        struct store_game game = fixture_game(kept / 2, kept % 2);

        error = store_game_add(fixture.store, 1, &game, replay, sizeof replay);
        if (error)
            break;
    }
    cr_expect_eq(error, -ENOSPC, "%d %s", error, store_failure(fixture.store));
    cr_expect(strstr(store_failure(fixture.store), "no room left"));
    cr_expect_gt(kept, 5);
    cr_expect_eq(count_games(fixture.store), kept);
    cr_expect_eq(store_check(fixture.store), 0);
    /* With space again, the same game can be stored. */
    cr_assert_eq(mount(NULL, fixture.home, NULL, MS_REMOUNT, "size=8m,mode=0700"), 0);
    {
        struct store_game game = fixture_game(kept / 2, kept % 2);

        cr_expect_eq(store_game_add(fixture.store, 1, &game, replay, sizeof replay), 0);
    }
    fixture_reopen(&fixture, STORE_READ);
    cr_expect_eq(count_games(fixture.store), kept + 1);
    store_close(fixture.store);
    fixture.store = NULL;
    cr_assert_eq(umount(fixture.home), 0);
}

Test(file, a_disk_that_cannot_be_written_can_still_be_read)
{
    struct store_game game = fixture_game(0, 0);

    store_close(fixture.store);
    fixture.store = NULL;
    if (!mount_home("size=8m,mode=0700"))
        cr_skip_test("needs a mount namespace");
    cr_assert_eq(store_open(&fixture.store, fixture.home, STORE_CREATE), 0);
    fixture_fill(&fixture, 2);
    cr_assert_eq(store_game_add(fixture.store, 1, &game, (uint8_t *)"r", 1), 0);
    store_close(fixture.store);
    cr_assert_eq(mount(NULL, fixture.home, NULL, MS_REMOUNT | MS_RDONLY, NULL), 0);
    cr_expect_eq(store_open(&fixture.store, fixture.home, STORE_WRITE), -EROFS, "%s",
                 store_failure(fixture.store));
    cr_expect(strstr(store_failure(fixture.store), "cannot be written"));
    store_close(fixture.store);
    cr_expect_eq(store_open(&fixture.store, fixture.home, STORE_READ), 0, "%s",
                 store_failure(fixture.store));
    cr_expect_eq(count_games(fixture.store), 1);
    store_close(fixture.store);
    fixture.store = NULL;
    cr_assert_eq(umount(fixture.home), 0);
}

/* ---- backups ---- */

/* SQLite took a log that somebody else had put beside the draft for its own, and wrote the seeds.
 */
Test(file, a_backup_touches_no_file_of_others)
{
    char path[128], theirs[160];
    struct stat status;

    snprintf(path, sizeof path, "%s/copy.db", fixture.home);
    snprintf(theirs, sizeof theirs, "%s.new-%d-wal", path, (int)getpid());
    cr_assert_eq(mkdir(theirs, 0700), 0);
    cr_expect_eq(store_backup(fixture.store, path), 0, "%s", store_failure(fixture.store));
    cr_expect_eq(stat(theirs, &status), 0);
    cr_expect_eq(stat(path, &status), 0);
    cr_expect_gt(status.st_size, 0);
    cr_expect_eq(store_backup(fixture.store, path), -EEXIST);
}
