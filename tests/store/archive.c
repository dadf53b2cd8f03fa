/* SPDX-License-Identifier: MIT */
/* Packing and unpacking a folder; nothing may be written outside it. */
#include <archive.h>
#include <archive_entry.h>
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "arena/store/archive.h"

static char folder[64];

static void create(void)
{
    strcpy(folder, "/tmp/archive-test-XXXXXX");
    cr_assert_not_null(mkdtemp(folder));
}

static void run(const char *format)
{
    char command[512];

    snprintf(command, sizeof command, "cd %s && %s", folder, format);
    cr_assert_eq(system(command), 0, "%s", command);
}

static void finish(void)
{
    run("rm -r *");
    rmdir(folder);
}

TestSuite(archive, .init = create, .fini = finish);

static void pack(const char *name, uint8_t **bytes, size_t *size)
{
    char path[128], error[ARCHIVE_ERROR_BYTES];

    snprintf(path, sizeof path, "%s/%s", folder, name);
    cr_assert_eq(archive_pack(path, SIZE_MAX, bytes, size, error), 0, "%s", error);
}

static int unpack(const uint8_t *bytes, size_t size, const char *name)
{
    char path[128], error[ARCHIVE_ERROR_BYTES];

    snprintf(path, sizeof path, "%s/%s", folder, name);
    return archive_unpack(bytes, size, path, &(struct archive_bounds){.entries_max = 8}, error);
}

/* Converts an archive in memory. Returns the package's size, or an archive_result. */
static ssize_t convert(const uint8_t *bytes, size_t size, uint8_t *package, size_t room,
                       const struct archive_bounds *bounds)
{
    int from = memfd_create("from", MFD_CLOEXEC), to = memfd_create("to", MFD_CLOEXEC);
    char error[ARCHIVE_ERROR_BYTES] = "";
    ssize_t result;

    cr_assert_eq(write(from, bytes, size), (ssize_t)size);
    result = archive_convert(from, to, 1 << 20, bounds, error);
    cr_expect(result == 0 || *error);
    if (result == 0)
        result = pread(to, package, room, 0);
    close(from);
    close(to);
    return result;
}

Test(archive, a_folder_comes_back_as_it_was)
{
    uint8_t *bytes;
    size_t size;

    run("mkdir -p in/sub && echo one > in/sub/file && cp /bin/true in/bot && ln -s bot in/link &&"
        " chmod 700 in/bot && : > in/empty && printf x > in/one &&"
        " mkdir in/nothing");
    pack("in", &bytes, &size);
    cr_expect_eq(unpack(bytes, size, "out"), 0);
    run("diff -r --no-dereference in out && test -x out/bot && test ! -x out/empty"
        " && test \"$(stat -c %a out/bot)\" = 755 && test \"$(readlink out/link)\" = bot");
    cr_expect_neq(unpack(bytes, size, "out"), 0, "an existing folder is left alone");
    free(bytes);
}

Test(archive, times_and_owners_do_not_show)
{
    uint8_t *first, *second;
    size_t first_size, second_size;

    run("mkdir a && echo one > a/x && echo two > a/y");
    pack("a", &first, &first_size);
    run("mkdir b && echo two > b/y && echo one > b/x && touch -d 2001-01-01 b/x && chmod 600 b/x");
    pack("b", &second, &second_size);
    cr_assert_eq(first_size, second_size);
    cr_expect_arr_eq(first, second, first_size);
    free(first);
    free(second);
}

Test(archive, a_socket_is_refused)
{
    char path[128], error[ARCHIVE_ERROR_BYTES];
    uint8_t *bytes;
    size_t size;

    run("mkdir in && mkfifo in/pipe");
    snprintf(path, sizeof path, "%s/in", folder);
    cr_expect_eq(archive_pack(path, SIZE_MAX, &bytes, &size, error), -1);
    cr_expect(strstr(error, "pipe"));
}

/* Else a bot would be stored for ever without its files. */
Test(archive, a_folder_that_the_machine_does_not_open_is_not_empty)
{
    char path[128], error[ARCHIVE_ERROR_BYTES];
    struct rlimit files;
    uint8_t *bytes;
    size_t size;
    int result;

    run("mkdir in && echo one > in/x");
    pack("in", &bytes, &size); /* libarchive is loaded */
    free(bytes);
    snprintf(path, sizeof path, "%s/in", folder);
    cr_assert_eq(getrlimit(RLIMIT_NOFILE, &files), 0);
    cr_assert_eq(setrlimit(RLIMIT_NOFILE, &(struct rlimit){0, files.rlim_max}), 0);
    result = archive_pack(path, SIZE_MAX, &bytes, &size, error);
    cr_assert_eq(setrlimit(RLIMIT_NOFILE, &files), 0);
    cr_expect_lt(result, 0);
    free(bytes);
}

/* Writes an archive that archive_pack would never write, of up to two entries. */
static void write_hostile(uint8_t *bytes, size_t *size, const char *link, const char *path)
{
    struct archive *archive = archive_write_new();
    struct archive_entry *entry = archive_entry_new();

    archive_write_set_format_ustar(archive);
    archive_write_open_memory(archive, bytes, 65536, size);
    if (link) {
        archive_entry_set_pathname(entry, "link");
        archive_entry_set_filetype(entry, AE_IFLNK);
        archive_entry_set_symlink(entry, link);
        archive_write_header(archive, entry);
        archive_entry_clear(entry);
    }
    archive_entry_set_pathname(entry, path);
    archive_entry_set_filetype(entry, AE_IFREG);
    archive_entry_set_perm(entry, 0644);
    archive_entry_set_size(entry, 4);
    archive_write_header(archive, entry);
    archive_write_data(archive, "evil", 4);
    archive_entry_free(entry);
    archive_write_close(archive);
    archive_write_free(archive);
}

static const struct {
    const char *link, *path;
} hostile[] = {
    {NULL, "../evil"},
    {NULL, "/tmp/archive-test-evil"},
    {"..", "link/evil"},
    {"/tmp", "link/archive-test-evil"},
};

Test(archive, no_path_leads_out)
{
    static uint8_t bytes[65536];
    size_t size;

    run("mkdir keep");
    for (size_t i = 0; i < sizeof hostile / sizeof *hostile; i++) {
        char name[16];

        snprintf(name, sizeof name, "out%zu", i);
        write_hostile(bytes, &size, hostile[i].link, hostile[i].path);
        cr_expect_neq(unpack(bytes, size, name), 0, "%s", hostile[i].path);
    }
    run("test ! -e evil && test ! -e /tmp/archive-test-evil");
}

/* Writes an archive with one entry of that type and mode. */
static void write_entry(uint8_t *bytes, size_t *size, __LA_MODE_T type, __LA_MODE_T mode)
{
    struct archive *archive = archive_write_new();
    struct archive_entry *entry = archive_entry_new();

    archive_write_set_format_ustar(archive);
    archive_write_open_memory(archive, bytes, 65536, size);
    archive_entry_set_pathname(entry, "entry");
    archive_entry_set_filetype(entry, type);
    archive_entry_set_perm(entry, mode);
    archive_write_header(archive, entry);
    archive_entry_free(entry);
    archive_write_close(archive);
    archive_write_free(archive);
}

/* Writes an archive of some KiB with a file of 1 MiB that is one hole. */
static void write_hole(uint8_t *bytes, size_t *size)
{
    struct archive *archive = archive_write_new();
    struct archive_entry *entry = archive_entry_new();
    static const char zeros[1 << 20];

    archive_write_set_format_pax(archive);
    archive_write_open_memory(archive, bytes, 65536, size);
    archive_entry_set_pathname(entry, "entry");
    archive_entry_set_filetype(entry, AE_IFREG);
    archive_entry_set_perm(entry, 0644);
    archive_entry_set_size(entry, sizeof zeros);
    archive_entry_sparse_add_entry(entry, 0, 1);
    archive_write_header(archive, entry);
    archive_write_data(archive, zeros, sizeof zeros);
    archive_entry_free(entry);
    archive_write_close(archive);
    archive_write_free(archive);
}

Test(archive, no_package_unpacks_to_more_than_it_has)
{
    static uint8_t bytes[65536];
    size_t size;

    write_hole(bytes, &size);
    cr_assert_lt(size, 32768);
    cr_expect_eq(unpack(bytes, size, "out"), ARCHIVE_REFUSED);
    run("test ! -s out/entry");
}

static const struct {
    const char *rule;
    __LA_MODE_T type, mode;
    int result;
} entries[] = {
    {"a program", AE_IFREG, 0755, 0},
    {"a file", AE_IFREG, 0644, 0},
    {"a folder", AE_IFDIR, 0755, 0},
    {"a set-user-id program", AE_IFREG, 04755, ARCHIVE_REFUSED},
    {"a set-user-id and set-group-id program", AE_IFREG, 06755, ARCHIVE_REFUSED},
    {"a sticky file", AE_IFREG, 01644, ARCHIVE_REFUSED},
    {"a file that all may write", AE_IFREG, 0666, ARCHIVE_REFUSED},
    {"a folder that all may write", AE_IFDIR, 0777, ARCHIVE_REFUSED},
    {"a set-group-id folder", AE_IFDIR, 02755, ARCHIVE_REFUSED},
    {"a fifo", AE_IFIFO, 0644, ARCHIVE_REFUSED},
    {"a device", AE_IFCHR, 0644, ARCHIVE_REFUSED},
};

Test(archive, only_what_is_packed_is_unpacked)
{
    static uint8_t bytes[65536];

    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
        char name[16];
        size_t size;

        snprintf(name, sizeof name, "out%zu", i);
        write_entry(bytes, &size, entries[i].type, entries[i].mode);
        cr_expect_eq(unpack(bytes, size, name), entries[i].result, "%s", entries[i].rule);
    }
    run("test $(find . -name entry | wc -l) = 3");
}

Test(archive, any_utf8_name_goes_in_and_comes_out)
{
    uint8_t *bytes;
    size_t size;

    run("mkdir -p 'in/Gänse 家禽' && echo one > 'in/Gänse 家禽/🦆' && ln -s 'Gänse "
        "家禽/🦆' "
        "in/вниз &&"
        " touch \"$(printf 'in/a\\nline')\"");
    pack("in", &bytes, &size);
    cr_assert_eq(unpack(bytes, size, "out"), 0);
    run("diff -r --no-dereference in out && test \"$(cat out/вниз)\" = one");
    free(bytes);
}

Test(archive, a_torn_archive_is_refused)
{
    uint8_t *bytes;
    size_t size;

    run("mkdir in && head -c 5000 /dev/zero > in/file");
    pack("in", &bytes, &size);
    cr_expect_neq(unpack(bytes, 2000, "torn"), 0);
    free(bytes);
}

/* Archives with one entry, whose path implies folders. */
static const struct {
    const char *path;
    int made; /* how many files and folders the package lists */
} implied[] = {
    {"file", 1},
    {"a/file", 2},
    {"a/b/c/d/e/f/g", 7},
    {"./a/.//b/./file", 3},
    {"a/b/c/d/e/f/g/h/i", 9}, /* more than 8 */
};

Test(archive, folders_that_an_archive_implies_are_counted_and_listed)
{
    const struct archive_bounds bounds = {.entries_max = 8};
    static uint8_t bytes[65536], package[65536];

    for (size_t i = 0; i < sizeof implied / sizeof *implied; i++) {
        char command[128], name[16];
        ssize_t packed;
        size_t size;

        write_hostile(bytes, &size, NULL, implied[i].path);
        snprintf(name, sizeof name, "raw%zu", i);
        cr_expect_eq(unpack(bytes, size, name), implied[i].made == 1 ? 0 : ARCHIVE_REFUSED,
                     "%s is unpacked without its folders", implied[i].path);
        packed = convert(bytes, size, package, sizeof package, &bounds);
        if (implied[i].made > 8) {
            cr_expect_eq(packed, ARCHIVE_REFUSED, "%s", implied[i].path);
            continue;
        }
        cr_assert_gt(packed, 0, "%s", implied[i].path);
        snprintf(name, sizeof name, "out%zu", i);
        cr_expect_eq(unpack(package, (size_t)packed, name), 0, "%s", implied[i].path);
        snprintf(command, sizeof command, "test $(find out%zu -mindepth 1 | wc -l) = %d", i,
                 implied[i].made);
        run(command);
    }
}

Test(archive, what_macos_adds_is_left_out)
{
    static const char *const paths[] = {"bot/", "bot/main", "__MACOSX/", "__MACOSX/bot/",
                                        "__MACOSX/bot/._main"};
    const struct archive_bounds bounds = {.entries_max = 8};
    static uint8_t bytes[65536], package[65536];
    struct archive *archive = archive_write_new();
    size_t size;

    archive_write_set_format_ustar(archive);
    archive_write_open_memory(archive, bytes, sizeof bytes, &size);
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        struct archive_entry *entry = archive_entry_new();
        const bool is_folder = paths[i][strlen(paths[i]) - 1] == '/';

        archive_entry_set_pathname(entry, paths[i]);
        archive_entry_set_filetype(entry, is_folder ? AE_IFDIR : AE_IFREG);
        archive_entry_set_perm(entry, is_folder ? 0755 : 0644);
        archive_write_header(archive, entry);
        archive_entry_free(entry);
    }
    archive_write_free(archive);
    cr_assert_gt(convert(bytes, size, package, sizeof package, &bounds), 0);
    cr_assert_eq(unpack(package, sizeof package, "out"), 0);
    run("test \"$(cd out; find . -mindepth 1 | sort | tr '\\n' ' ')\" = './bot ./bot/main '");
}

static bool is_over(void *calls_left)
{
    return --*(int *)calls_left < 0;
}

Test(archive, work_that_nobody_waits_for_stops)
{
    int calls_left = 0;
    const struct archive_bounds bounds = {8, is_over, &calls_left};
    char path[128], error[ARCHIVE_ERROR_BYTES];
    static uint8_t package[65536];
    uint8_t *bytes;
    size_t size;

    run("mkdir in && touch in/a in/b in/c");
    pack("in", &bytes, &size);
    snprintf(path, sizeof path, "%s/out", folder);
    cr_expect_eq(convert(bytes, size, package, sizeof package, &bounds), ARCHIVE_STOPPED);
    calls_left = 2;
    cr_expect_eq(archive_unpack(bytes, size, path, &bounds, error), ARCHIVE_STOPPED);
    run("test -e out/b && test ! -e out/c");
    free(bytes);
}
