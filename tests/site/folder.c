/* What a publication removes beside a site: only what killed publications left there. */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "arena/play/tree.h"
#include "arena/site/folder.h"

enum {
    FORM = 1,
};

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

static int64_t inode_of(const char *path)
{
    struct stat status = {0};

    return stat(path, &status) == 0 ? (int64_t)status.st_ino : -1;
}

/* Publishes a site with one page. */
static void publish_to(const char *path, const char *text)
{
    struct folder folder;

    cr_assert_eq(folder_begin(&folder, path, FORM), 0, "%s: %s", path, folder.error);
    cr_assert_eq(folder_put(&folder, "cup/index.html", 0, text, strlen(text)), 0);
    cr_assert_eq(folder_commit(&folder), 0, "%s", folder.error);
}

/* Imitates a killed publication: its folder is beside the site, and nobody holds its lock. */
static void leave_one(const char *path, const char *left)
{
    struct folder folder;

    cr_assert_eq(folder_begin(&folder, path, FORM), 0, "%s: %s", path, folder.error);
    cr_assert_eq(folder_put(&folder, "cup/index.html", 0, "half", 4), 0);
    cr_assert_eq(rename(folder.aside, left), 0);
    folder_abandon(&folder);
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
    cr_assert_eq(folder_begin(&under_way, "web", FORM), 0, "%s", under_way.error);
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
    cr_expect_lt(folder_begin(&folder, "web", FORM), 0);
    cr_expect_lt(folder_remove_left("web", error), 0);
    cr_expect_str_eq(error,
                     "is a folder with files other than a published site; choose another folder");
    cr_expect(is_there("web.new-1"));
}

static atomic_bool exchanging;

/* Somebody who may write beside the site puts another folder in the place of the one left. */
static void *exchange(void *nothing)
{
    while (exchanging)
        renameat2(AT_FDCWD, "web.new-1", AT_FDCWD, "theirs", RENAME_EXCHANGE);
    return nothing;
}

Test(folder, of_others_stay_whatever_is_exchanged)
{
    char error[FOLDER_ERROR_BYTES];

    for (int i = 0; i < 300; i++) {
        pthread_t thread;

        leave_one("web", "web.new-1");
        cr_assert_eq(mkdir("theirs", 0755), 0);
        put("theirs/diary", "mine");
        exchanging = true;
        cr_assert_eq(pthread_create(&thread, NULL, exchange, NULL), 0);
        cr_expect_eq(folder_remove_left("web", error), 0);
        exchanging = false;
        pthread_join(thread, NULL);
        cr_assert(is_there("theirs/diary") || is_there("web.new-1/diary"), "it was removed");
        tree_remove("theirs");
        tree_remove("web.new-1");
    }
}

/* A page of a site: its name, its key, its text. */
struct text_page {
    const char *name;
    uint64_t key;
    const char *text;
};

/* Publishes these pages as the daemon does; returns how many files were written. */
static int64_t publish_pages(const struct text_page *pages, size_t count, uint64_t form)
{
    struct folder folder;

    cr_assert_eq(folder_begin(&folder, "web", form), 0, "%s", folder.error);
    for (size_t i = 0; i < count; i++)
        if (!folder_keep(&folder, pages[i].name, pages[i].key))
            cr_assert_eq(folder_put(&folder, pages[i].name, pages[i].key, pages[i].text,
                                    strlen(pages[i].text)),
                         0, "%s", folder.error);
    cr_assert_eq(folder_commit(&folder), 0, "%s", folder.error);
    return folder.written_count;
}

/* Expects the site to have these pages and no others. */
static void expect_pages(const char *rule, const struct text_page *pages, size_t count)
{
    int files = 0;
    FILE *list;

    for (size_t i = 0; i < count; i++) {
        char path[64], text[64] = "";
        FILE *file;

        snprintf(path, sizeof path, "web/%s", pages[i].name);
        file = fopen(path, "re");
        cr_assert_not_null(file, "%s: no %s", rule, path);
        cr_expect_not_null(fgets(text, sizeof text, file), "%s: %s is empty", rule, path);
        fclose(file);
        cr_expect_str_eq(text, pages[i].text, "%s: %s has '%s'", rule, path, text);
    }
    list = popen("find web -type f | wc -l", "r");
    cr_assert_eq(fscanf(list, "%d", &files), 1);
    pclose(list);
    cr_expect_eq(files, (int)count + 2, "%s: %d files", rule, files); /* site.txt, site.keys */
}

static void empty(const char *path)
{
    cr_assert_eq(truncate(path, 0), 0);
}

static void replace(const char *path)
{
    char text[64] = "";
    FILE *file = fopen(path, "re");

    cr_assert_not_null(fgets(text, sizeof text, file));
    fclose(file);
    cr_assert_eq(unlink(path), 0);
    text[0] = 'X';
    put(path, text);
}

static void remove_file(const char *path)
{
    cr_assert_eq(unlink(path), 0);
}

static void tree_remove_all(const char *path)
{
    tree_remove(path);
}

static void cut_short(const char *path)
{
    struct stat status;

    cr_assert_eq(stat(path, &status), 0);
    cr_assert_eq(truncate(path, status.st_size / 2), 0);
}

static const struct {
    const char *rule;
    void (*change)(const char *path);
    const char *path;
} accidents[] = {
    {"half a page", empty, "web/cup/a.html"},
    {"a page of somebody else's", replace, "web/cup/a.html"},
    {"a page that is gone", remove_file, "web/cup/a.html"},
    {"half a list", cut_short, "web/site.keys"},
    {"no list", remove_file, "web/site.keys"},
    {"half a page in the spare", empty, ".web.spare/cup/b.html"},
    {"another page in the spare", replace, ".web.spare/cup/b.html"},
    {"a page missing in the spare", remove_file, ".web.spare/cup/b.html"},
    {"a file more in the spare", replace, ".web.spare/cup/a.html"},
    {"a spare that is not the arena's", remove_file, ".web.spare/site.txt"},
    {"no spare", tree_remove_all, ".web.spare"},
};

Test(folder, keeps_only_what_it_wrote)
{
    struct text_page pages[] = {{"cup/a.html", 1, "one"},
                                {"cup/b.html", 2, "two"},
                                {"cup/game/c.html", 3, "three"},
                                {"index.html", 0, "four"}};
    const size_t count = sizeof pages / sizeof *pages;
    char text[16];

    cr_expect_eq(publish_pages(pages, count, FORM), (int64_t)count + 2);
    for (size_t i = 0; i < sizeof accidents / sizeof *accidents; i++) {
        snprintf(text, sizeof text, "%zu", i);
        pages[1].key = 100 + i;
        pages[1].text = text;
        accidents[i].change(accidents[i].path);
        publish_pages(pages, count, FORM);
        expect_pages(accidents[i].rule, pages, count);
        publish_pages(pages, count, FORM);
        expect_pages(accidents[i].rule, pages, count);
    }
    pages[0].text = "another";
    publish_pages(pages, count, FORM + 1);
    expect_pages("another form", pages, count);
    pages[2] = pages[3];
    publish_pages(pages, count - 1, FORM + 1);
    expect_pages("a page less", pages, count - 1);
    cr_expect_not(is_there("web/cup/game"), "its folder is left");
}

Test(folder, touches_only_what_changed)
{
    struct text_page pages[] = {{"cup/a.html", 1, "one"}, {"cup/b.html", 2, "two"}};
    int64_t a, b;

    cr_expect_eq(publish_pages(pages, 2, FORM), 4);
    a = inode_of("web/cup/a.html");
    b = inode_of("web/cup/b.html");
    cr_expect_eq(publish_pages(pages, 2, FORM), 0, "nothing changed");
    pages[1] = (struct text_page){"cup/b.html", 3, "three"};
    cr_expect_eq(publish_pages(pages, 2, FORM), 2, "the page and the list");
    cr_expect_eq(inode_of("web/cup/a.html"), a);
    cr_expect_eq(inode_of(".web.spare/cup/a.html"), a);
    cr_expect_neq(inode_of("web/cup/b.html"), b);
    cr_expect_eq(inode_of(".web.spare/cup/b.html"), b, "the older site is the spare");
    pages[1].key = 4;
    cr_expect_eq(publish_pages(pages, 2, FORM), 1, "the same bytes under another key");
    cr_expect_eq(publish_pages(pages, 2, FORM), 0);
}

Test(folder, two_publications_at_once)
{
    struct text_page pages[] = {{"cup/a.html", 1, "one"}, {"cup/b.html", 2, "two"}};
    struct folder first;

    publish_pages(pages, 2, FORM);
    cr_assert_eq(folder_begin(&first, "web", FORM), 0, "%s", first.error);
    cr_expect(first.has_spare);
    pages[1].key = 3;
    pages[1].text = "three";
    publish_pages(pages, 2, FORM);
    expect_pages("the second, while the first is under way", pages, 2);
    for (size_t i = 0; i < 2; i++)
        if (!folder_keep(&first, pages[i].name, pages[i].key))
            cr_assert_eq(folder_put(&first, pages[i].name, pages[i].key, pages[i].text,
                                    strlen(pages[i].text)),
                         0);
    cr_assert_eq(folder_commit(&first), 0, "%s", first.error);
    expect_pages("the first", pages, 2);
    pages[0].key = 5;
    pages[0].text = "five";
    publish_pages(pages, 2, FORM);
    expect_pages("a third", pages, 2);
}
