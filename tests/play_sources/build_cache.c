/* SPDX-License-Identifier: MIT */
/* What arenas that were killed leave in the cache of builds. */
#include "arena/play/build.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "arena/base/tree.h"

static const struct {
    const char *name;
    int age_s;
    bool stays;
} rows[] = {
    {"new-abandoned", 60 * 60 + 30, false},
    {"new-under-way", 60 * 60 - 40, true},
    {"new-of-now", 0, true},
};

Test(build_cache, what_was_begun_more_than_an_hour_ago_is_removed)
{
    static const char *const command[] = {"make", NULL};
    const struct build_key key = {.package_sha256 = "abc", .command = command, .tier = 3};
    char cache[] = "/tmp/build-cache-XXXXXX", path[PATH_MAX], folder[PATH_MAX];

    cr_assert_not_null(mkdtemp(cache));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct timespec begun = {.tv_sec = time(NULL) - rows[i].age_s};

        snprintf(path, sizeof path, "%s/%s", cache, rows[i].name);
        cr_assert_eq(mkdir(path, 0700), 0);
        cr_assert_eq(utimensat(AT_FDCWD, path, (struct timespec[]){begun, begun}, 0), 0);
    }
    snprintf(folder, sizeof folder, "%s/.bot", cache); /* no entry of the cache */
    cr_assert_eq(mkdir(folder, 0700), 0);
    build_cache_keep(cache, &key, folder);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        snprintf(path, sizeof path, "%s/%s", cache, rows[i].name);
        cr_expect_eq(access(path, F_OK) == 0, rows[i].stays, "%s", rows[i].name);
    }
    tree_remove(cache);
}

/* Each input counts, and so does where one ends and the next begins. */
Test(build_cache, has_a_build_under_all_its_inputs_alone)
{
    static const char *const commands[][3] = {{"make", "all", NULL},
                                              {"mak", "eall", NULL},
                                              {"make", "alt", NULL},
                                              {"makeall", NULL},
                                              {"make", NULL}};
    const struct {
        struct build_key key;
        bool taken;
    } keys[] = {{{"abc", commands[0], 3}, true},  {{"abd", commands[0], 3}, false},
                {{"abc", commands[0], 2}, false}, {{"abc", commands[1], 3}, false},
                {{"abc", commands[2], 3}, false}, {{"abc", commands[3], 3}, false},
                {{"abc", commands[4], 3}, false}};
    char cache[] = "/tmp/build-cache-XXXXXX", folder[PATH_MAX], target[PATH_MAX];

    cr_assert_not_null(mkdtemp(cache));
    snprintf(folder, sizeof folder, "%s/.bot", cache);
    cr_assert_eq(mkdir(folder, 0700), 0);
    build_cache_keep(cache, &keys[0].key, folder);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        snprintf(target, sizeof target, "%s/.taken-%zu", cache, i);
        cr_expect_eq(build_cache_take(cache, &keys[i].key, target), keys[i].taken, "%zu", i);
        cr_expect_eq(access(target, F_OK) == 0, keys[i].taken, "%zu", i);
    }
    tree_remove(cache);
}

/* Of those used in the same second too. */
Test(build_cache, has_64_builds_the_last_used)
{
    static const char *const command[] = {"make", NULL};
    const struct build_key key = {.package_sha256 = "abc", .command = command, .tier = 3};
    const time_t now_s = time(NULL);
    char cache[] = "/tmp/build-cache-XXXXXX", path[PATH_MAX], folder[PATH_MAX];

    cr_assert_not_null(mkdtemp(cache));
    snprintf(folder, sizeof folder, "%s/.bot", cache);
    cr_assert_eq(mkdir(folder, 0700), 0);
    for (int i = 0; i < BUILD_CACHE_COUNT_MAX + 5; i++) {
        const int age = i * 37 % (BUILD_CACHE_COUNT_MAX + 5); /* in thirds of a second */
        const struct timespec used = {.tv_sec = now_s - 10 - age / 3,
                                      .tv_nsec = (2 - age % 3) * 300000000L + 1};

        snprintf(path, sizeof path, "%s/%03d", cache, age);
        cr_assert_eq(mkdir(path, 0700), 0);
        cr_assert_eq(utimensat(AT_FDCWD, path, (struct timespec[]){used, used}, 0), 0);
    }
    build_cache_keep(cache, &key, folder);
    for (int age = 0; age < BUILD_CACHE_COUNT_MAX + 5; age++) {
        snprintf(path, sizeof path, "%s/%03d", cache, age);
        cr_expect_eq(access(path, F_OK) == 0, age < BUILD_CACHE_COUNT_MAX - 1, "%d", age);
    }
    tree_remove(cache);
}
