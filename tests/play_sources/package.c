/* SPDX-License-Identifier: MIT */
/* Packages: what their hash depends on and what it does not, and what is copied. */
#include "arena/play/package.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "arena/base/tree.h"

static char room[] = "/tmp/package-test-XXXXXX";

static const char *below(const char *name)
{
    static char paths[4][PATH_MAX];
    static int next;
    char *path = paths[next++ % 4];

    snprintf(path, PATH_MAX, "%s/%s", room, name);
    return path;
}

static void write_file(const char *name, const char *text, mode_t mode)
{
    FILE *file = fopen(below(name), "w");

    cr_assert_not_null(file, "%s", name);
    fputs(text, file);
    fclose(file);
    cr_assert_eq(chmod(below(name), mode), 0);
}

/* Creates a package, always the same, in the folder with that name. */
static void make_package(const char *name)
{
    char path[64];

    cr_assert_eq(mkdir(below(name), 0755), 0);
    snprintf(path, sizeof path, "%s/lib", name);
    cr_assert_eq(mkdir(below(path), 0755), 0);
    snprintf(path, sizeof path, "%s/bot", name);
    write_file(path, "#!/bin/sh\n", 0755);
    snprintf(path, sizeof path, "%s/bot.json", name);
    write_file(path, "{}\n", 0644);
    snprintf(path, sizeof path, "%s/lib/a", name);
    write_file(path, "", 0644);
    snprintf(path, sizeof path, "%s/lib/link", name);
    cr_assert_eq(symlink("a", below(path)), 0);
}

static void make_room(void)
{
    cr_assert_not_null(mkdtemp(room));
    make_package("one");
}

static void remove_room(void)
{
    tree_remove(room);
    cr_expect_eq(access(room, F_OK), -1);
}

TestSuite(package, .init = make_room, .fini = remove_room);

static const char *hash_of(const char *name)
{
    static char hashes[2][PACKAGE_HASH_CHARS + 1];
    static int next;
    char error[PACKAGE_ERROR_BYTES];
    char *hash = hashes[next++ % 2];

    cr_assert_eq(package_copy(below(name), NULL, hash, error), 0, "%s: %s", name, error);
    cr_assert_eq(strlen(hash), PACKAGE_HASH_CHARS);
    return hash;
}

/* Computes the header's definition with other programs: sort, printf and sha256sum. */
Test(package, hash_is_what_the_header_says)
{
    char command[4 * PATH_MAX], expected[PACKAGE_HASH_CHARS + 1] = "";
    FILE *output;

    snprintf(command, sizeof command,
             "{ printf 'bot\\000100755\\00010\\000'; cat %s/one/bot;"
             "  printf 'bot.json\\000100644\\0003\\000'; cat %s/one/bot.json;"
             "  printf 'lib\\000040755\\0000\\000'; printf 'lib/a\\000100644\\0000\\000';"
             "  printf 'lib/link\\000120777\\0001\\000a'; } | sha256sum",
             room, room);
    output = popen(command, "r");
    cr_assert_eq(fread(expected, 1, PACKAGE_HASH_CHARS, output), PACKAGE_HASH_CHARS);
    pclose(output);
    cr_expect_str_eq(hash_of("one"), expected);
}

Test(package, hash_is_the_same_for_the_same_content)
{
    struct timespec times[2] = {{.tv_sec = 1}, {.tv_sec = 2}};
    const char *first = hash_of("one");

    /* Created again, with other times and in another order. */
    write_file("one/zz", "", 0644);
    cr_assert_eq(unlink(below("one/bot")), 0);
    write_file("one/bot", "#!/bin/sh\n", 0711);
    cr_assert_eq(unlink(below("one/zz")), 0);
    cr_assert_eq(utimensat(AT_FDCWD, below("one/bot"), times, 0), 0);
    cr_assert_eq(utimensat(AT_FDCWD, below("one/lib"), times, 0), 0);
    /* Modes count only in that a file has an execute bit, or none. */
    cr_assert_eq(chmod(below("one/bot.json"), 0600), 0);
    cr_assert_eq(chmod(below("one/lib"), 0700), 0);
    cr_expect_str_eq(hash_of("one"), first);
    make_package("two");
    cr_expect_str_eq(hash_of("two"), first);
}

static void change_content(void)
{
    write_file("one/bot.json", "{}\r", 0644);
}

static void change_mode(void)
{
    cr_assert_eq(chmod(below("one/bot.json"), 0755), 0);
}

static void change_path(void)
{
    cr_assert_eq(rename(below("one/lib/a"), below("one/lib/b")), 0);
}

static void move_up(void)
{
    cr_assert_eq(rename(below("one/lib/a"), below("one/a")), 0);
}

static void change_link(void)
{
    cr_assert_eq(unlink(below("one/lib/link")), 0);
    cr_assert_eq(symlink("b", below("one/lib/link")), 0);
}

static void link_becomes_file(void)
{
    cr_assert_eq(unlink(below("one/lib/link")), 0);
    write_file("one/lib/link", "a", 0644);
}

static void add_empty_file(void)
{
    write_file("one/lib/c", "", 0644);
}

static void add_empty_folder(void)
{
    cr_assert_eq(mkdir(below("one/empty"), 0755), 0);
}

static void move_a_byte(void)
{
    /* One file's last byte becomes the next one's first. */
    write_file("one/bot", "#!/bin/sh", 0755);
    write_file("one/bot.json", "\n{}\n", 0644);
}

static const struct {
    const char *rule;
    void (*change_fn)(void);
} changes[] = {
    {"content", change_content},
    {"a run bit", change_mode},
    {"a name", change_path},
    {"a folder", move_up},
    {"where a link leads", change_link},
    {"a link that becomes a file", link_becomes_file},
    {"an empty file", add_empty_file},
    {"an empty folder", add_empty_folder},
    {"a moved byte", move_a_byte},
};

Test(package, hash_tells_every_change)
{
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        char before[PACKAGE_HASH_CHARS + 1];

        strcpy(before, hash_of("one"));
        changes[i].change_fn();
        cr_expect_str_neq(hash_of("one"), before, "%s", changes[i].rule);
        tree_remove(below("one"));
        make_package("one");
    }
}

static void hash_content(const char *name, char hash[static PACKAGE_HASH_CHARS + 1])
{
    char error[PACKAGE_ERROR_BYTES] = "";

    cr_assert_eq(package_hash_content(below(name), hash, error), 0, "%s", error);
}

/* This hash recognizes a bot under another name or version. */
Test(package, hash_of_the_content_leaves_out_the_manifest_alone)
{
    char one[PACKAGE_HASH_CHARS + 1], other[PACKAGE_HASH_CHARS + 1];
    char error[PACKAGE_ERROR_BYTES] = "";

    make_package("other");
    write_file("other/bot.json", "{\"name\": \"other\"}\n", 0644);
    hash_content("one", one);
    hash_content("other", other);
    cr_expect_str_eq(one, other);
    write_file("other/lib/bot.json", "", 0644);
    hash_content("other", other);
    cr_expect_str_neq(one, other, "a file of that name elsewhere is content");
    write_file("one/bot", "#!/bin/sh -e\n", 0755);
    hash_content("one", other);
    cr_expect_str_neq(one, other);
    cr_expect_lt(package_hash_content(below("none"), one, error), 0);
    cr_expect_gt(strlen(error), 0);
}

Test(package, copy_has_plain_modes_and_the_same_hash)
{
    char error[PACKAGE_ERROR_BYTES], hash[PACKAGE_HASH_CHARS + 1], link[8] = "";
    const mode_t mask = umask(077);
    struct stat status;

    cr_assert_eq(chmod(below("one/bot"), 04711), 0);
    cr_assert_eq(package_copy(below("one"), below("copy"), hash, error), 0, "%s", error);
    umask(mask);
    cr_expect_str_eq(hash, hash_of("one"));
    cr_expect_str_eq(hash, hash_of("copy"));
    cr_assert_eq(stat(below("copy"), &status), 0);
    cr_expect_eq(status.st_mode & 07777, 0755);
    cr_assert_eq(stat(below("copy/bot"), &status), 0);
    cr_expect_eq(status.st_mode & 07777, 0755, "a set-uid bit is not copied");
    cr_assert_eq(stat(below("copy/bot.json"), &status), 0);
    cr_expect_eq(status.st_mode & 07777, 0644);
    cr_assert_eq(stat(below("copy/lib"), &status), 0);
    cr_expect_eq(status.st_mode & 07777, 0755);
    cr_assert_eq(readlink(below("copy/lib/link"), link, sizeof link - 1), 1);
    cr_expect_str_eq(link, "a");
}

static void expect_result(enum package_result result, const char *source, const char *target,
                          const char *word)
{
    char error[PACKAGE_ERROR_BYTES] = "", hash[PACKAGE_HASH_CHARS + 1];

    cr_expect_eq(package_copy(source, target, hash, error), (int)result, "%s: %s", source, error);
    cr_expect_not_null(strstr(error, word), "%s: %s", source, error);
}

static void expect_refused(const char *source, const char *target, const char *word)
{
    expect_result(PACKAGE_REFUSED, source, target, word);
}

/* A hole takes no time: nothing of it is read. */
Test(package, is_512_mib_at_most)
{
    cr_assert_eq(truncate(below("one/lib/a"), (off_t)PACKAGE_BYTES_MAX + 1), 0);
    expect_refused(below("one"), NULL, "larger than 512 MiB");
}

/* /dev/shm is of memory, where a hole may be as large as a size can say. */
Test(package, is_512_mib_at_most_with_the_largest_file_that_there_is)
{
    char folder[] = "/dev/shm/package-test-XXXXXX", first[PATH_MAX], second[PATH_MAX];
    bool has_room = mkdtemp(folder) != NULL;
    FILE *file;

    snprintf(first, sizeof first, "%s/a", folder);
    snprintf(second, sizeof second, "%s/b", folder);
    for (int i = 0; i < 2 && has_room; i++) {
        file = fopen(i ? second : first, "w");
        cr_assert_not_null(file);
        fclose(file);
        has_room = truncate(i ? second : first, i ? INT64_MAX : 1) == 0;
    }
    if (has_room)
        expect_refused(folder, NULL, "larger than 512 MiB");
    tree_remove(folder);
    if (!has_room)
        cr_skip("no file of 8 EiB in /dev/shm");
}

Test(package, refusals)
{
    char error[PACKAGE_ERROR_BYTES] = "", hash[PACKAGE_HASH_CHARS + 1];

    expect_refused(below("none"), NULL, "cannot be read");
    write_file("one/gr\xfc\x6e", "", 0644);
    expect_refused(below("one"), NULL,
                   "gr\xef\xbf\xbdn: the file's name is not UTF-8: rename the file");
    cr_assert_eq(unlink(below("one/gr\xfc\x6e")), 0);
    cr_assert_eq(symlink("gr\xfc\x6e", below("one/out")), 0);
    expect_refused(below("one"), NULL, "out: links to a name that is not UTF-8");
    cr_assert_eq(unlink(below("one/out")), 0);
    expect_refused(below("one/bot"), NULL, "cannot be read");
    cr_assert_eq(mkfifo(below("one/pipe"), 0644), 0);
    expect_refused(below("one"), NULL, "pipe: is neither a file, a folder nor a link");
    cr_assert_eq(unlink(below("one/pipe")), 0);
    cr_assert_eq(mkdir(below("deep"), 0755), 0);
    cr_assert_eq(chdir(below("deep")), 0);
    for (int depth = 0; depth < 64; depth++) {
        cr_assert_eq(mkdir("d", 0755), 0);
        cr_assert_eq(chdir("d"), 0);
    }
    cr_expect_eq(package_copy(below("deep"), NULL, hash, error), 0, "%s", error);
    cr_assert_eq(mkdir("d", 0755), 0);
    expect_refused(below("deep"), NULL, "nested deeper than 64");
    cr_assert_eq(chdir("/"), 0);
}

/* 1,024 bytes, so that the path fits below any folder of the arena's. */
Test(package, paths_are_bounded)
{
    char error[PACKAGE_ERROR_BYTES] = "", hash[PACKAGE_HASH_CHARS + 1], name[205];

    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    cr_assert_eq(mkdir(below("long"), 0755), 0);
    cr_assert_eq(chdir(below("long")), 0);
    for (int depth = 0; depth < 5; depth++) { /* 5 * 204 bytes and 4 slashes */
        cr_assert_eq(mkdir(name, 0755), 0);
        cr_assert_eq(chdir(name), 0);
    }
    cr_expect_eq(package_copy(below("long"), NULL, hash, error), 0, "%s", error);
    cr_assert_eq(mkdir("d", 0755), 0);
    expect_refused(below("long"), NULL, "longer than 1024 bytes");
    cr_assert_eq(chdir("/"), 0);
}

/* All of them one file, by many names. */
Test(package, has_20000_entries_at_most)
{
    char name[64];

    cr_assert_eq(mkdir(below("many"), 0755), 0);
    write_file("many/0", "", 0644);
    for (int i = 1; i <= PACKAGE_FILES_MAX; i++) {
        snprintf(name, sizeof name, "many/%d", i);
        cr_assert_eq(link(below("many/0"), below(name)), 0);
    }
    expect_refused(below("many"), NULL, "holds more than 20000 files");
}

static void limit(__rlimit_resource_t resource, rlim_t value)
{
    struct rlimit limit;

    cr_assert_eq(getrlimit(resource, &limit), 0);
    limit.rlim_cur = value < limit.rlim_max ? value : limit.rlim_max;
    cr_assert_eq(setrlimit(resource, &limit), 0);
}

/* Failures that no author can fix. */
Test(package, failures_of_the_arena)
{
    char error[PACKAGE_ERROR_BYTES] = "", hash[PACKAGE_HASH_CHARS + 1];

    cr_assert_eq(mkdir(below("taken"), 0755), 0);
    expect_result(PACKAGE_FAILED, below("one"), below("taken"), "cannot be copied");
    expect_result(PACKAGE_FAILED, below("one"), below("no/where"), "cannot be copied");
    signal(SIGXFSZ, SIG_IGN);
    limit(RLIMIT_FSIZE, 4);
    expect_result(PACKAGE_FAILED, below("one"), below("copy"), "bot: cannot be copied to ");
    cr_expect_eq(package_copy_file(below("one/bot"), below("copied"), hash, error), PACKAGE_FAILED);
    limit(RLIMIT_FSIZE, RLIM_INFINITY);
}

Test(package, a_file_has_the_hash_of_its_bytes)
{
    char error[PACKAGE_ERROR_BYTES], hash[PACKAGE_HASH_CHARS + 1];
    struct stat status;

    write_file("abc", "abc", 0701);
    cr_assert_eq(package_copy_file(below("abc"), below("abc-copy"), hash, error), 0, "%s", error);
    /* FIPS 180-2, appendix B.1 */
    cr_expect_str_eq(hash, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    cr_assert_eq(stat(below("abc-copy"), &status), 0);
    cr_expect_eq(status.st_mode & 07777, 0755);
    cr_expect_eq(package_copy_file(below("abc"), below("abc-copy"), hash, error), PACKAGE_FAILED);
    cr_expect_eq(package_copy_file(below("one"), below("other"), hash, error), PACKAGE_REFUSED);
    cr_expect_eq(package_copy_file(below("none"), below("other"), hash, error), PACKAGE_REFUSED);
}

enum {
    COPIES = 1000,
    COPYING_S = 2,
};

struct swapping {
    char folder[PATH_MAX], link[PATH_MAX];
    atomic_bool over;
};

static void *swap(void *owner)
{
    struct swapping *swapping = owner;

    while (!swapping->over) {
        renameat2(AT_FDCWD, swapping->folder, AT_FDCWD, swapping->link, RENAME_EXCHANGE);
        usleep(1);
    }
    return NULL;
}

/*
 * The author does this while the arena copies: the folder's contents must not be written elsewhere.
 */
Test(package, a_folder_swapped_for_a_link_leads_nowhere)
{
    struct swapping swapping = {.over = false};
    const time_t begun = time(NULL);
    char error[PACKAGE_ERROR_BYTES], hash[PACKAGE_HASH_CHARS + 1];
    pthread_t swapper;

    cr_assert_eq(mkdir(below("victim"), 0755), 0);
    cr_assert_eq(symlink(below("victim"), below("one/swapped")), 0);
    strcpy(swapping.folder, below("one/lib"));
    strcpy(swapping.link, below("one/swapped"));
    cr_assert_eq(pthread_create(&swapper, NULL, swap, &swapping), 0);
    for (int i = 0; i < COPIES && time(NULL) <= begun + COPYING_S; i++) {
        package_copy(below("one"), below("copy"), hash, error);
        tree_remove(below("copy"));
    }
    swapping.over = true;
    pthread_join(swapper, NULL);
    cr_expect_eq(rmdir(below("victim")), 0, "something was written into it");
}

/* True if the folder has a link that says what only the victim's does. */
static bool says_secret(const char *folder)
{
    char path[64], text[64];
    struct stat status;

    if (lstat(below(folder), &status) < 0 || !S_ISDIR(status.st_mode))
        return false;
    snprintf(path, sizeof path, "%s/said", folder);
    return readlink(below(path), text, sizeof text) == 8 && memcmp(text, "a secret", 8) == 0;
}

/* Nor may what a link elsewhere says be copied. */
Test(package, a_link_behind_a_swapped_folder_is_not_read)
{
    struct swapping swapping = {.over = false};
    const time_t begun = time(NULL);
    char error[PACKAGE_ERROR_BYTES], hash[PACKAGE_HASH_CHARS + 1];
    int foreign_count = 0;
    pthread_t swapper;

    cr_assert_eq(mkdir(below("victim"), 0755), 0);
    cr_assert_eq(symlink("a secret", below("victim/said")), 0);
    cr_assert_eq(symlink("its own", below("one/lib/said")), 0);
    cr_assert_eq(symlink(below("victim"), below("one/swapped")), 0);
    strcpy(swapping.folder, below("one/lib"));
    strcpy(swapping.link, below("one/swapped"));
    cr_assert_eq(pthread_create(&swapper, NULL, swap, &swapping), 0);
    for (int i = 0; i < COPIES && time(NULL) <= begun + COPYING_S; i++) {
        package_copy(below("one"), below("copy"), hash, error);
        foreign_count += says_secret("copy/lib") + says_secret("copy/swapped");
        tree_remove(below("copy"));
    }
    swapping.over = true;
    pthread_join(swapper, NULL);
    cr_expect_eq(foreign_count, 0, "a link of somebody else's was read %d times", foreign_count);
}
