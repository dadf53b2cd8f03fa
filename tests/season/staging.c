/* SPDX-License-Identifier: MIT */
/*
 * The folder of a season's bots: the loop that serves other seasons' bots does not wait for it.
 * Another process unpacks packages into it. Where the machine has no room for that process, or
 * kills it, the bot waits and the season goes on.
 */
#include "arena/season/staging.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <ev.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "arena/play/package.h"
#include "arena/store/archive.h"

enum {
    PATH_BYTES_MAX = 256,
};

#define MANIFEST "{\"name\": \"x\", \"version\": \"1\", \"author\": \"a\", \"run\": [\"./x\"]}"
#define ARENA    TEST_BINARY_DIR "/bin/arena"

static char home[32]; /* "/tmp/staging-XXXXXX" */
static int staged_count, staged_entry, waits_count;
static char failure[512], waits_words[512];

static void staged(void *owner, int entry, const char *error)
{
    staged_count++;
    staged_entry = entry;
    snprintf(failure, sizeof failure, "%s", error ? error : "");
    ev_break(owner, EVBREAK_ONE);
}

/* ---- the folder ---- */

/* Begins to make the folder, below the folder `parent`. */
static struct staging *begin(struct ev_loop *loop, const char *parent)
{
    const struct staging_options options = {
        .url = "/no/such/store.db", .program = "/bin/false", .staged_fn = staged, .owner = loop};
    struct staging *staging;

    setenv("TMPDIR", parent, 1);
    staging = staging_create(loop, &options);
    cr_assert_not_null(staging, "the folder was made at once, on the loop");
    return staging;
}

Test(staging, a_folder_that_cannot_be_made_is_told_with_each_bot)
{
    struct ev_loop *loop = ev_loop_new(EVFLAG_AUTO);
    const struct store_bot bot = {.id = 7, .name = "ann"};
    struct staging *staging = begin(loop, "/no/such/folder");

    cr_assert_eq(staging_want(staging, 2, &bot, NULL), STAGING_WAITING);
    cr_assert_eq(staged_count, 0);
    ev_run(loop, 0);
    cr_expect_eq(staged_entry, 2);
    cr_expect_str_eq(
        failure,
        "/no/such/folder: the arena cannot make a folder for copies of bots in this folder: No "
        "such file or directory: set TMPDIR to another folder");
    cr_expect_eq(staging_want(staging, 3, &bot, NULL), STAGING_FAILED,
                 "the next one is told at once");
    cr_expect_eq(staged_count, 2);
    staging_destroy(staging);
    ev_loop_destroy(loop);
}

/* A season that ends right after its start. */
Test(staging, destroyed_before_the_folder_is_made_nothing_is_left)
{
    struct ev_loop *loop = ev_loop_new(EVFLAG_AUTO);
    const struct store_bot bot = {.id = 7, .name = "ann"};
    char room[] = "/tmp/staging-XXXXXX";

    cr_assert_not_null(mkdtemp(room));
    for (int i = 0; i < 20; i++) {
        struct staging *staging = begin(loop, room);

        staging_want(staging, 0, &bot, NULL);
        staging_destroy(staging);
    }
    cr_expect_eq(rmdir(room), 0, "a folder is left in %s", room);
    ev_loop_destroy(loop);
}

/* ---- unpacking ---- */

static rlim_t descriptors; /* the limit that the test began with */

static void waits(void *owner, const char *words)
{
    struct rlimit limit = {.rlim_cur = descriptors, .rlim_max = descriptors};

    waits_count++;
    snprintf(waits_words, sizeof waits_words, "%s", words);
    setrlimit(RLIMIT_NOFILE, &limit); /* somebody gave something back */
}

static void put_file(const char *name, const char *text, mode_t mode)
{
    char path[PATH_BYTES_MAX];
    int fd;

    snprintf(path, sizeof path, "%s/%s", home, name);
    fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode);
    cr_assert_geq(fd, 0);
    cr_assert_eq(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    close(fd);
}

static struct store_bot add_bot(struct store *store)
{
    struct store_bot bot = {
        .name = "x", .version = "1", .author = "a", .language = "C", .submitted_us = 1};
    char folder[PATH_BYTES_MAX], error[ARCHIVE_ERROR_BYTES];
    struct store_package package;
    uint8_t *bytes;

    snprintf(folder, sizeof folder, "%s/bot", home);
    cr_assert_eq(mkdir(folder, 0755), 0);
    put_file("bot/x", "", 0755);
    cr_assert_eq(package_copy(folder, NULL, bot.sha256, error), 0, "%s", error);
    cr_assert_eq(archive_pack(folder, SIZE_MAX, &bytes, &package.size, error), 0, "%s", error);
    package.bytes = bytes;
    memcpy(bot.built_sha256, bot.sha256, sizeof bot.built_sha256);
    bot.manifest = MANIFEST;
    cr_assert_eq(store_bot_add(store, &bot, package, package), 0, "%s", store_failure(store));
    free(bytes);
    return bot;
}

/* Unpacks the bot with a program, while the process may open only that many descriptors. */
static void unpack(const char *program, rlim_t descriptors_max)
{
    struct ev_loop *loop = ev_loop_new(EVFLAG_AUTO);
    struct rlimit limit = {.rlim_cur = descriptors_max, .rlim_max = descriptors};
    char command[PATH_BYTES_MAX], url[PATH_BYTES_MAX];
    struct staging_options options = {
        .url = url, .program = program, .owner = loop, .staged_fn = staged, .warn_fn = waits};
    struct staging *staging;
    struct store_bot bot;
    struct store *store;

    snprintf(url, sizeof url, "sqlite:%s", home);
    cr_assert_eq(store_open(&store, home, STORE_CREATE), 0, "%s", store_failure(store));
    bot = add_bot(store);
    staging = staging_create(loop, &options);
    cr_assert_not_null(staging);
    waits_count = 0;
    if (descriptors_max < descriptors) { /* when the folder is made */
        staging_want(staging, 0, &bot, NULL);
        ev_run(loop, 0);
    }
    staged_count = 0;
    setrlimit(RLIMIT_NOFILE, &limit);
    cr_expect_geq(staging_want(staging, 1, &bot, NULL), 0);
    if (staged_count == 0)
        ev_run(loop, 0);
    setrlimit(RLIMIT_NOFILE, &(struct rlimit){descriptors, descriptors});
    cr_expect_eq(waits_count, 1, "told %d times", waits_count);
    cr_expect_eq(staged_count, 1);
    cr_expect_str_empty(failure);
    cr_expect_eq(staging_want(staging, 1, &bot, NULL), STAGING_READY);
    cr_expect_null(staging_lack(staging, 1));
    staging_destroy(staging);
    ev_loop_destroy(loop);
    store_close(store);
    snprintf(command, sizeof command, "rm -r %s", home);
    cr_assert_eq(system(command), 0);
}

static void make_home(void)
{
    struct rlimit limit;

    getrlimit(RLIMIT_NOFILE, &limit);
    descriptors = limit.rlim_cur;
    strcpy(home, "/tmp/staging-XXXXXX");
    cr_assert_not_null(mkdtemp(home));
}

Test(unpacking, a_process_that_the_machine_kills_is_tried_again, .timeout = 60)
{
    char program[PATH_BYTES_MAX], text[4 * PATH_BYTES_MAX];

    make_home();
    snprintf(text, sizeof text,
             "#!/bin/sh\n[ -e %s/killed ] && exec %s \"$@\"\n: >%s/killed\n"
             "mkdir \"$2\"; : >\"$2/half\"\nkill -9 $$\n",
             home, ARENA, home);
    put_file("program", text, 0755);
    snprintf(program, sizeof program, "%s/program", home);
    unpack(program, descriptors);
    cr_expect_str_eq(
        waits_words,
        "the process that unpacks a package was killed: the arena unpacks the package again");
}

Test(unpacking, a_process_for_which_there_are_no_descriptors_is_tried_again, .timeout = 60)
{
    make_home();
    unpack(ARENA, 4);
    cr_expect_str_eq(waits_words, "the machine has no room to unpack a package (Too many open "
                                  "files): the arena tries again");
}
