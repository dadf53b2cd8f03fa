/* What a publication removes beside a site: only what killed publications left there. */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "arena/play/tree.h"
#include "arena/site/folder.h"

static char room[] = "/tmp/folder-XXXXXX";

static void enter_room(void)
{
    cr_assert_not_null(mkdtemp(room));
    cr_assert_eq(chdir(room), 0);
}

static void leave_room(void)
{
    cr_assert_eq(chdir("/"), 0);
    tree_remove(room);
}

TestSuite(folder, .init = enter_room, .fini = leave_room);

static void put(const char *path, const char *text)
{
    FILE *file = fopen(path, "we");

    cr_assert_not_null(file, "%s", path);
    fputs(text, file);
    fclose(file);
}

static bool is_there(const char *path)
{
    return access(path, F_OK) == 0;
}

/* Publishes a site with one page. */
static void publish_to(const char *path, const char *text)
{
    struct folder folder;

    cr_assert_eq(folder_begin(&folder, path), 0, "%s: %s", path, folder.error);
    cr_assert_eq(folder_put(&folder, "cup/index.html", text, strlen(text)), 0);
    cr_assert_eq(folder_commit(&folder), 0, "%s", folder.error);
}

/* Imitates a killed publication: its folder is beside the site, and nobody holds its lock. */
static void leave_one(const char *path, const char *left)
{
    struct folder folder;

    cr_assert_eq(folder_begin(&folder, path), 0, "%s: %s", path, folder.error);
    cr_assert_eq(folder_put(&folder, "cup/index.html", "half", 4), 0);
    cr_assert_eq(rename(folder.aside, left), 0);
    close(folder.lock_fd);
}

static const struct {
    const char *rule;
    const char *site;
    const char *folder; /* with a file of its own in it */
} strangers[] = {
    {"a suffix that is no number", "web", "web.new-design"},
    {"a number, but not a site of ours", "web", "web.new-2024"},
    {"a number and more", "web", "web.new-7b"},
    {"no number at all", "web", "web.new-"},
    {"a name is no pattern", "w*", "web.new-3"},
    {"the same below another folder", "./web", "web.new-4"},
    {"a slash at the end", "web//", "web.new-theme"},
};

Test(folder, of_others_stay)
{
    for (size_t i = 0; i < sizeof strangers / sizeof *strangers; i++) {
        char path[64];

        cr_assert_eq(mkdir(strangers[i].folder, 0755), 0);
        snprintf(path, sizeof path, "%s/work", strangers[i].folder);
        put(path, "mine");
        publish_to(strangers[i].site, "whole");
        cr_expect(is_there(path), "%s: %s is gone", strangers[i].rule, path);
        tree_remove(strangers[i].folder);
        tree_remove(strangers[i].site);
    }
}

Test(folder, of_killed_publications_go)
{
    char error[FOLDER_ERROR_BYTES];
    struct folder under_way;

    leave_one("web", "web.new-1");
    cr_assert_eq(mkdir("web.new-2", 0755), 0); /* killed before it wrote anything */
    cr_assert_eq(folder_begin(&under_way, "web"), 0, "%s", under_way.error);
    cr_expect_not(is_there("web.new-1"));
    cr_expect_not(is_there("web.new-2"));
    cr_expect_eq(folder_remove_left("web", error), 0);
    cr_expect(is_there(under_way.aside), "one that is under way was removed");
    cr_assert_eq(folder_commit(&under_way), 0, "%s", under_way.error);
    leave_one("./web/", "web.new-3");
    cr_expect_eq(folder_remove_left("web/", error), 0);
    cr_expect_not(is_there("web.new-3"));
}

Test(folder, beside_what_is_no_site_nothing_goes)
{
    char error[FOLDER_ERROR_BYTES];
    struct folder folder;

    leave_one("web", "web.new-1");
    cr_assert_eq(mkdir("web", 0755), 0);
    put("web/diary", "mine");
    cr_expect_lt(folder_begin(&folder, "web"), 0);
    cr_expect_lt(folder_remove_left("web", error), 0);
    cr_expect_str_eq(error, "is a folder with something else in it; choose another name");
    cr_expect(is_there("web.new-1"));
}
