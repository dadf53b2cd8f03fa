/* SPDX-License-Identifier: MIT */
/* Files where others may write too: no link is followed, and no file of theirs is written to. */
#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "arena/base/place.h"
#include "arena/base/tree.h"

static char room[] = "/tmp/place-XXXXXX";

static void enter_room(void)
{
    cr_assert_not_null(mkdtemp(room));
    cr_assert_eq(chdir(room), 0);
    cr_assert_eq(place_write_new("theirs", "mine", 4), 0);
    cr_assert_eq(symlink("theirs", "link"), 0);
    cr_assert_eq(symlink("nothing", "dangling"), 0);
    cr_assert_eq(mkdir("folder", 0755), 0);
    cr_assert_eq(mkfifo("pipe", 0600), 0);
    cr_assert_eq(symlink("folder", "way"), 0);
}

static void leave_room(void)
{
    cr_assert_eq(chdir("/"), 0);
    tree_remove(room);
}

TestSuite(place, .init = enter_room, .fini = leave_room);

static bool begins_with_m(int fd)
{
    char first = 0;

    return read(fd, &first, 1) == 1 && first == 'm';
}

static const struct {
    const char *rule, *path;
    int new_result, over_result;
} rows[] = {
    {"a name that is free", "free", 0, 0},
    {"in a folder", "folder/free", 0, 0},
    {"the way to the folder may be a link", "way/other", 0, 0},
    {"a link is not followed", "link", -EEXIST, -EEXIST},
    {"nor is one that leads nowhere", "dangling", -EEXIST, -EEXIST},
    {"a folder", "folder", -EEXIST, -EEXIST},
    {"a folder, with a slash", "folder/", -EEXIST, -EEXIST},
    {"a pipe", "pipe", -EEXIST, -EEXIST},
    {"no folder", "none/file", -ENOENT, -ENOENT},
    {"no name", "", -EINVAL, -EINVAL},
    {"a dot", "folder/.", -EINVAL, -EINVAL},
    {"two dots", "..", -EINVAL, -EINVAL},
};

static void expect_content(const char *rule, const char *path, const char *wanted)
{
    char text[16] = "";
    FILE *file = fopen(path, "re");

    cr_assert_not_null(file, "%s", rule);
    cr_expect_not_null(fgets(text, sizeof text, file));
    cr_expect_str_eq(text, wanted, "%s: %s", rule, text);
    fclose(file);
}

Test(place, each_kind_of_name)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        cr_expect_eq(place_write_new(rows[i].path, "more", 4), rows[i].new_result, "%s, new",
                     rows[i].rule);
        cr_expect_eq(place_write_over(rows[i].path, "most", 4, NULL), rows[i].over_result,
                     "%s, over", rows[i].rule);
        if (rows[i].over_result == 0)
            expect_content(rows[i].rule, rows[i].path, "most");
    }
    expect_content("what the link leads to", "theirs", "mine");
    cr_expect_lt(access("nothing", F_OK), 0);
    cr_expect_neq(system("ls -A . folder | grep -q '^[.][^:]'"), 0, "a draft stays");
}

Test(place, only_what_may_be_replaced_is)
{
    cr_expect_eq(place_write_over("theirs", "other", 5, begins_with_m), 0);
    cr_expect_eq(place_write_over("theirs", "again", 5, begins_with_m), -EEXIST);
    expect_content("replaced once", "theirs", "other");
    cr_expect_eq(place_write_new("theirs", "new", 3), -EEXIST);
    expect_content("never by a new one", "theirs", "other");
}

/* Drafts that somebody planted, as links to a file of ours, are passed by and left alone. */
Test(place, drafts_of_others_are_left_alone)
{
    for (int i = 0; i < 3; i++) {
        char draft[64];

        snprintf(draft, sizeof draft, ".figures.%d-%d", (int)getpid(), i);
        cr_assert_eq(symlink("theirs", draft), 0);
    }
    cr_expect_eq(place_write_over("figures", "12", 2, NULL), 0);
    expect_content("written", "figures", "12");
    expect_content("behind the planted links", "theirs", "mine");
}
