/* What arenas that were killed leave in the cache of builds. */
#include "arena/play/build_cache.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "arena/play/tree.h"

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
