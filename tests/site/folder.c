/* SPDX-License-Identifier: MIT */
/* What a publication replaces, keeps and removes. */
#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "arena/base/tree.h"
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

/* A page of a site: its name, its key, its text. */
struct text_page {
    const char *name;
    uint64_t key;
    const char *text;
};

/* Adds a page, unless the older one is kept. */
static void add_page(struct folder *folder, const struct text_page *page)
{
    FILE *stream = folder_page(folder, page->name, page->key);

    if (stream) {
        fputs(page->text, stream);
        folder_put_page(folder, page->key);
    }
}

/* Publishes these pages as the daemon does; returns how many files were written. */
static int64_t publish_pages(const struct text_page *pages, size_t count, uint64_t form)
{
    struct folder folder;

    cr_assert_eq(folder_begin(&folder, "web", form, NULL), 0, "%s", folder.error);
    for (size_t i = 0; i < count; i++)
        add_page(&folder, &pages[i]);
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

/* As on another disk, or from a backup: no file is the one that the list tells of. */
static void copy_all(const char *path)
{
    cr_assert_eq(system("cp -a web copy && rm -r web && mv copy web"), 0, "%s", path);
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
    {"no spare", tree_remove_all, ".web.spare"},
    {"a copy of the site", copy_all, "web"},
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

/* The first publication fails; the daemon tries again, and so failed for ever. */
Test(folder, a_folder_in_the_place_of_a_page_stops_one_publication)
{
    struct text_page pages[] = {{"cup/a.html", 1, "one"}, {"cup/b.html", 2, "two"}};
    struct folder folder;

    publish_pages(pages, 2, FORM);
    cr_assert_eq(unlink("web/cup/b.html"), 0);
    cr_assert_eq(mkdir("web/cup/b.html", 0755), 0);
    publish_pages(pages, 2, FORM);
    pages[1] = (struct text_page){"cup/b.html", 3, "three"};
    cr_assert_eq(folder_begin(&folder, "web", FORM, NULL), 0, "%s", folder.error);
    add_page(&folder, &pages[0]);
    add_page(&folder, &pages[1]);
    cr_expect_eq(folder_commit(&folder), -EISDIR, "%s", folder.error);
    publish_pages(pages, 2, FORM);
    expect_pages("the next publication", pages, 2);
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
    cr_expect_eq(inode_of(".web.spare/cup/b.html"), -1, "the older page is gone");
    pages[1].key = 4;
    cr_expect_eq(publish_pages(pages, 2, FORM), 1, "the same bytes under another key");
    cr_expect_eq(publish_pages(pages, 2, FORM), 0);
}

/* Beside a page of some length lies the same in gzip's format, for as long as the page is there. */
Test(folder, has_pages_compressed_as_long_as_they_are_there)
{
    static char text[4000], other[4000];
    const struct text_page both[] = {{"a/long.html", 1, text}, {"short.html", 1, "short"}};
    const struct text_page changed = {"a/long.html", 2, other};
    int64_t plain, packed;

    memset(text, 'x', sizeof text - 1);
    memset(other, 'y', sizeof other - 1);
    publish_pages(both, 2, FORM);
    cr_expect(is_there("web/a/long.html.gz") && !is_there("web/short.html.gz"));
    plain = inode_of("web/a/long.html");
    packed = inode_of("web/a/long.html.gz");
    publish_pages(both, 1, FORM);
    cr_expect(inode_of("web/a/long.html") == plain && inode_of("web/a/long.html.gz") == packed);
    cr_assert_eq(unlink("web/a/long.html.gz"), 0);
    publish_pages(both, 2, FORM);
    cr_expect(is_there("web/a/long.html.gz"), "made again");
    packed = inode_of("web/a/long.html.gz");
    publish_pages(&changed, 1, FORM);
    cr_expect(is_there("web/a/long.html.gz") && inode_of("web/a/long.html.gz") != packed);
    publish_pages(&both[1], 1, FORM);
    cr_expect(!is_there("web/a/long.html") && !is_there("web/a/long.html.gz"));
    cr_expect(!is_there(".web.spare/a/long.html.gz"));
}

Test(folder, one_publication_at_a_time)
{
    struct text_page pages[] = {{"cup/a.html", 1, "one"}, {"cup/b.html", 2, "two"}};
    struct folder first, second;

    publish_pages(pages, 2, FORM);
    cr_assert_eq(folder_begin(&first, "web", FORM, NULL), 0, "%s", first.error);
    cr_expect_eq(folder_begin(&second, "web", FORM, NULL), -EBUSY, "%s", second.error);
    pages[1] = (struct text_page){"cup/b.html", 3, "three"};
    add_page(&first, &pages[1]);
    folder_abandon(&first); /* as if it were killed: half a site is in the spare */
    publish_pages(pages, 2, FORM);
    expect_pages("after one that was killed", pages, 2);
}

/* Whoever may read the site can lock its folders, and so could keep the arena from publishing. */
Test(folder, that_others_lock_is_published)
{
    struct text_page pages[] = {{"cup/a.html", 1, "one"}};
    static const char *const folders[] = {"web", ".web.spare"};

    publish_pages(pages, 1, FORM);
    publish_pages(pages, 1, FORM); /* makes the spare */
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        cr_assert_eq(flock(open(folders[i], O_RDONLY | O_CLOEXEC), LOCK_EX), 0);
    pages[0] = (struct text_page){"cup/a.html", 2, "two"};
    publish_pages(pages, 1, FORM);
    expect_pages("with both folders locked", pages, 1);
    cr_assert_eq(chmod(".web.lock", 0666), 0);
    cr_expect_eq(folder_begin(&(struct folder){0}, "web", FORM, NULL), -EEXIST,
                 "anybody may hold it");
}

/* As after a kill of the arena between the creation of the first file and its first byte. */
Test(folder, a_spare_whose_mark_is_empty_is_taken)
{
    const struct text_page page = {"cup/a.html", 1, "one"};
    struct folder folder;

    cr_assert_eq(mkdir(".web.spare", 0755), 0);
    put(".web.spare/site.txt", "");
    put(".web.spare/diary", "mine");
    cr_expect_eq(folder_begin(&folder, "web", FORM, NULL), -EEXIST,
                 "it has a file of somebody else's");
    cr_assert_eq(unlink(".web.spare/diary"), 0);
    publish_pages(&page, 1, FORM);
    expect_pages("after an empty mark", &page, 1);
}

Test(folder, what_is_no_site_stays)
{
    char error[FOLDER_ERROR_BYTES];
    struct folder folder;

    cr_assert_eq(mkdir("web", 0755), 0);
    put("web/diary", "mine");
    cr_expect_eq(folder_begin(&folder, "web", FORM, NULL), -EEXIST);
    cr_expect_eq(folder_check("web", error), -EEXIST);
    cr_expect_str_eq(error,
                     "is a folder with files other than a published site; choose another folder");
    cr_expect(is_there("web/diary"));
    cr_assert_eq(rename("web", ".web.spare"), 0);
    cr_expect_eq(folder_check("web", error), 0, "%s", error);
    cr_expect_eq(folder_begin(&folder, "web", FORM, NULL), -EEXIST, "a spare of somebody else's");
    cr_expect(is_there(".web.spare/diary"));
}

/* Who may write to the folder that becomes the site could change its pages afterwards. */
Test(folder, that_others_may_write_never_becomes_the_site)
{
    struct folder folder;
    struct stat status;

    cr_assert_eq(mkdir("web", 0755), 0);
    cr_assert_eq(chmod("web", 0777), 0);
    for (int i = 0; i < 3; i++) {
        const struct text_page page = {"cup/index.html", (uint64_t)i + 1, "a page"};

        publish_pages(&page, 1, FORM);
        cr_assert_eq(stat("web", &status), 0);
        cr_expect_eq(status.st_mode & 07777, 0755, "publication %d: %o", i, status.st_mode);
    }
    cr_assert_eq(chmod(".web.spare", 0777), 0);
    cr_expect_eq(folder_begin(&folder, "web", FORM, NULL), -EEXIST);
}
