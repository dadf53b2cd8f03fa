/*
 * Packages that a worker keeps: read back completely or not at all, limited in size, and recognized
 * by machine.
 */
#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arena/store/depot/depot.h"

static char cache[64];
static struct depot *depot;

enum {
    CACHE_BYTES = 3000, /* room for two packages of a thousand bytes */
    PACKAGE_BYTES = 1024,
};

static void create(void)
{
    strcpy(cache, "/tmp/depot-test-XXXXXX");
    cr_assert_not_null(mkdtemp(cache));
    cr_assert_eq(depot_create(&depot, cache, CACHE_BYTES), 0);
}

static void finish(void)
{
    char command[128];

    depot_destroy(depot);
    snprintf(command, sizeof command, "rm -r %s", cache);
    cr_assert_eq(system(command), 0);
}

TestSuite(depot, .init = create, .fini = finish);

/* A hash of one repeated digit, and a package of one repeated byte. */
static void name_package(char digit, char sha256[static STORE_HASH_DIGITS + 1])
{
    memset(sha256, digit, STORE_HASH_DIGITS);
    sha256[STORE_HASH_DIGITS] = '\0';
}

static void keep(char digit)
{
    char sha256[STORE_HASH_DIGITS + 1];
    uint8_t bytes[PACKAGE_BYTES];

    name_package(digit, sha256);
    memset(bytes, digit, sizeof bytes);
    cr_assert_eq(depot_package_add(depot, sha256, (struct store_package){bytes, sizeof bytes}), 0);
    usleep(2000); /* so that ages differ */
}

/* Returns 0, or the error if the package is not there. */
static int look(char digit)
{
    char sha256[STORE_HASH_DIGITS + 1];
    uint8_t *bytes;
    size_t size;
    int error;

    name_package(digit, sha256);
    error = depot_package_read(depot, sha256, &bytes, &size);
    if (error)
        return error;
    cr_expect_eq(size, PACKAGE_BYTES);
    for (size_t i = 0; i < size; i++)
        cr_expect_eq(bytes[i], (uint8_t)digit);
    free(bytes);
    usleep(2000);
    return 0;
}

Test(depot, gives_back_what_was_kept)
{
    keep('a');
    cr_expect_eq(look('a'), 0);
    cr_expect_eq(look('b'), -ENOENT);
}

Test(depot, lets_the_package_go_that_nobody_used_for_longest)
{
    for (int i = 0; i < 3; i++)
        keep("abc"[i]);
    cr_expect_eq(look('a'), 0); /* used: now b is the oldest */
    keep('d');
    cr_expect_eq(look('b'), -ENOENT);
    cr_expect_eq(look('a'), 0);
    cr_expect_eq(look('d'), 0);
}

Test(depot, removes_what_was_changed_on_the_disk)
{
    char path[256], sha256[STORE_HASH_DIGITS + 1];
    FILE *file;

    keep('a');
    name_package('a', sha256);
    snprintf(path, sizeof path, "%s/%s", cache, sha256);
    file = fopen(path, "r+");
    cr_assert_not_null(file);
    fseek(file, 500, SEEK_SET);
    fputc('x', file);
    fclose(file);
    cr_expect_eq(look('a'), -EIO, "a package that was changed is not run");
    cr_expect_eq(look('a'), -ENOENT, "it is fetched anew");
}

static int take_bot(void *context, const struct store_bot *bot)
{
    *(struct store_bot *)context = *bot;
    return 0;
}

Test(depot, is_a_store_of_its_bots)
{
    struct store_bot bot = {.id = 7,
                            .name = "ant",
                            .version = "1",
                            .author = "ada",
                            .language = "C"},
                     read = {0};
    const char *url = depot_url(depot);
    struct store *store;
    char *manifest;

    memset(bot.sha256, 'a', STORE_HASH_DIGITS);
    memset(bot.built_sha256, 'b', STORE_HASH_DIGITS);
    cr_assert_eq(depot_bot_add(depot, &bot, "{\"name\":\"ant\"}"), 0);
    keep('b');
    cr_assert_eq(store_open_backend(&store, &depot_backend, strchr(url, ':') + 1, STORE_READ), 0);
    cr_expect_eq(store_bots_each(store, take_bot, &read), 0, "%s", store_failure(store));
    cr_expect_eq(read.id, 7);
    cr_expect_str_eq(read.name, "ant");
    cr_expect_str_eq(read.built_sha256, bot.built_sha256);
    cr_assert_eq(store_manifest_read(store, 7, &manifest), 0);
    cr_expect_str_eq(manifest, "{\"name\":\"ant\"}");
    free(manifest);
    store_close(store);
}

/* ---- machines ---- */

enum {
    S390 = 22, /* which the arena does not run on */
};

/* True if a tar archive of two blocks, a header and the start of a file, runs here. */
static bool runs_here(const uint8_t *content, size_t size)
{
    uint8_t bytes[1024] = {0};

    memcpy(bytes + 512, content, size);
    return depot_package_runs_here((struct store_package){bytes, sizeof bytes});
}

Test(depot, tells_programs_by_the_machine_they_are_for)
{
    uint8_t own[20];
    const uint8_t foreign[2][20] = {{0x7f, 'E', 'L', 'F', 2, 1, [18] = S390, [19] = 0},
                                    {0x7f, 'E', 'L', 'F', 2, 2, [18] = 0, [19] = S390}};
    FILE *file = fopen("/proc/self/exe", "r");

    cr_assert(file && fread(own, 1, sizeof own, file) == sizeof own);
    fclose(file);
    cr_expect(runs_here(own, sizeof own), "a program of this machine");
    cr_expect(!runs_here(foreign[0], 20), "a program of another");
    cr_expect(!runs_here(foreign[1], 20), "one of the other byte order");
    cr_expect(runs_here((const uint8_t *)"#!/usr/bin/python3\n", 19), "a script runs anywhere");
}
