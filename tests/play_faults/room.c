/* Whether a build has taken too much room, on disks of every size. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statfs.h>
#include <unistd.h>

#include "arena/play/build.h"
#include "arena/play/tree.h"

#define MIB ((int64_t)1 << 20)

static bool imitates;
static struct statfs disk, scratch;

/* The names that the linker gives to what stands in for a function of the C library. */
/* NOLINTBEGIN(bugprone-reserved-identifier) */
int __real_statfs(const char *path, struct statfs *status);
int __wrap_statfs(const char *path, struct statfs *status);

int __wrap_statfs(const char *path, struct statfs *status)
{
    if (!imitates)
        return __real_statfs(path, status);
    *status = strstr(path, "/root/tmp") ? scratch : disk;
    return strstr(path, "/./") || strstr(path, "/../") ? -1 : 0;
}
/* NOLINTEND(bugprone-reserved-identifier) */

enum {
    SPACE_MIB = 10,
    NEARLY_FULL_MIB = 1024, /* of disks of 16 GiB and more; else 1/16 of it */
};

static const struct {
    const char *rule;
    int64_t scratch_bytes, scratch_files;   /* less than what makes it too much; 0: just fits */
    int64_t disk_mib, before_mib, free_kib; /* of the disk: all, free before, free now */
    enum build_kill fault;
} rows[] = {
    {"just fits", 0, 0, 1 << 20, 1 << 19, 1 << 29, BUILD_NOT_KILLED},
    {"a byte too much", 1, 0, 1 << 20, 1 << 19, 1 << 29, BUILD_TOO_LARGE},
    {"a file too much", 0, 1, 1 << 20, 1 << 19, 1 << 29, BUILD_TOO_MANY},
    {"a full disk that others filled", 0, 0, 1 << 20, SPACE_MIB, 0, BUILD_NOT_KILLED},
    {"a full disk that it may have filled", 0, 0, 1 << 20, SPACE_MIB + 1, 0, BUILD_TOO_LARGE},
    {"a large disk that is nearly full", 0, 0, 1 << 20, 9999, NEARLY_FULL_MIB * 1024 - 1,
     BUILD_TOO_LARGE},
    {"a large disk with room", 0, 0, 1 << 20, 9999, NEARLY_FULL_MIB * 1024, BUILD_NOT_KILLED},
    {"a small disk that is nearly full", 0, 0, 1600, 999, 100 * 1024 - 1, BUILD_TOO_LARGE},
    {"a small disk with room", 0, 0, 1600, 999, 100 * 1024, BUILD_NOT_KILLED},
};

Test(room, is_measured_to_the_byte)
{
    char folder[] = "/tmp/room-XXXXXX";
    const struct tree_size enough = {.bytes = INT64_MAX, .inode_count = INT64_MAX};
    struct tree_size size;

    cr_assert_not_null(mkdtemp(folder));
    cr_assert_eq(tree_measure(folder, &enough, &size), 0);
    imitates = true;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const int64_t files = (int64_t)SPACE_MIB * BUILD_FILES_PER_MIB;
        struct build_room room;

        disk = (struct statfs){.f_bsize = 1024, .f_blocks = (uint64_t)rows[i].disk_mib << 10};
        disk.f_bavail = (uint64_t)rows[i].before_mib << 10;
        build_room_begin(&room, folder, SPACE_MIB * MIB + 5); /* whole MiB count */
        cr_expect_eq(room.enough.bytes, SPACE_MIB * MIB);
        cr_expect_eq(room.enough.inode_count, files);
        cr_expect_eq(room.free_bytes, rows[i].before_mib << 20);
        disk.f_bavail = (uint64_t)rows[i].free_kib;
        scratch = (struct statfs){.f_bsize = 1, .f_bfree = 77, .f_ffree = 33};
        scratch.f_blocks = (uint64_t)(77 + SPACE_MIB * MIB - size.bytes + rows[i].scratch_bytes);
        scratch.f_files = (uint64_t)(33 + files - size.inode_count + rows[i].scratch_files);
        cr_expect_eq(build_room_look(&room, getpid()), rows[i].fault, "%s", rows[i].rule);
        cr_expect_eq(build_room_look(&room, 0), BUILD_NOT_KILLED, "%s, once it has ended",
                     rows[i].rule);
    }
    build_room_begin(&(struct build_room){0}, folder, 0);
    imitates = false;
    rmdir(folder);
}

Test(room, is_the_usual_without_a_limit)
{
    struct build_room room;

    build_room_begin(&room, "/", 0);
    cr_expect_eq(room.enough.bytes, BUILD_SPACE_MIB * MIB);
    cr_expect_eq(room.enough.inode_count, (int64_t)BUILD_SPACE_MIB * BUILD_FILES_PER_MIB);
}
