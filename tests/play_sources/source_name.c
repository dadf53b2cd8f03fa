/* SPDX-License-Identifier: MIT */
/* The name of a bot that has none in its manifest. */
#include "arena/play/source.h"

#include <criterion/criterion.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "arena/base/tree.h"

static char room[] = "/tmp/name-test-XXXXXX";

static void make_room(void)
{
    cr_assert_not_null(mkdtemp(room));
}

static void remove_room(void)
{
    tree_remove(room);
}

TestSuite(source_name, .init = make_room, .fini = remove_room);

static void expect_name(const char *file, const char *name)
{
    const struct source_options options = {0};
    char error[SOURCE_ERROR_BYTES] = "", path[PATH_MAX];
    struct source source;
    FILE *opened;

    snprintf(path, sizeof path, "%s/%s", room, file);
    opened = fopen(path, "w");
    cr_assert_not_null(opened);
    fclose(opened);
    cr_assert_eq(chmod(path, 0755), 0);
    cr_assert_eq(source_open(&source, path, room, 0, &options, error), 0, "%s", error);
    cr_expect_str_eq(source.manifest.name, name);
    source_close(&source);
    cr_expect_str_eq(source.manifest.name, "");
    cr_expect_null(source.folder);
    source_close(&source); /* which it is */
}

#define NAME_60 "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ01234567"

/* As far as a name may have 64 bytes, and no half a character. */
Test(source_name, of_an_executable_is_its_files)
{
    static const struct {
        const char *file, *name;
    } names[] = {
        {"x", "x"},
        {NAME_60 "abcd", NAME_60 "abcd"},
        {NAME_60 "abcde", NAME_60 "abcd"},
        {NAME_60 "abcdefghijklmnop", NAME_60 "abcd"},
        {NAME_60 "ab\xc3\xa4", NAME_60 "ab\xc3\xa4"},
        {NAME_60 "abc\xc3\xa4", NAME_60 "abc"},
        {"a\x01\xff", "a\x01\xef\xbf\xbd"},
    };

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        expect_name(names[i].file, names[i].name);
}
