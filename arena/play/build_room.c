#include "arena/play/build_room.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/statfs.h>

#include "arena/play/build.h"

enum {
    SPARE_MIB_MAX = 1024, /* a disk is almost full if this much is free ... */
    SPARE_SHARE = 16,     /* ... or 1/16 of it, whichever is less */
};

/*
 * Measures its /tmp, which exists only in its root. If the first thread of the process has ended,
 * finds the root through another thread.
 */
static bool measure_scratch(pid_t pid, struct statfs *scratch)
{
    char path[320];
    const struct dirent *entry;
    bool found = false;
    DIR *threads;

    snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
    threads = pid ? opendir(path) : NULL;
    while (threads && !found && (entry = readdir(threads))) {
        snprintf(path, sizeof path, "/proc/%d/task/%s/root/tmp", (int)pid, entry->d_name);
        found = *entry->d_name != '.' && statfs(path, scratch) == 0;
    }
    if (threads)
        closedir(threads);
    return found;
}

static bool has_eaten_the_disk(const struct build_room *room)
{
    int64_t spare_bytes = (int64_t)SPARE_MIB_MAX << 20, share_bytes, free_bytes;
    struct statfs disk;

    if (statfs(room->folder, &disk) < 0)
        return false;
    free_bytes = (int64_t)disk.f_bavail * disk.f_bsize;
    share_bytes = (int64_t)disk.f_blocks * disk.f_bsize / SPARE_SHARE;
    if (share_bytes < spare_bytes)
        spare_bytes = share_bytes;
    return free_bytes < spare_bytes && room->free_bytes - free_bytes > room->enough.bytes;
}

void build_room_begin(struct build_room *room, const char *folder, int64_t space_bytes)
{
    const int64_t mib = space_bytes ? space_bytes >> 20 : BUILD_SPACE_MIB;
    struct statfs disk;

    *room = (struct build_room){
        .folder = folder,
        .enough = {.bytes = mib << 20, .inode_count = mib * BUILD_FILES_PER_MIB},
    };
    if (statfs(folder, &disk) == 0)
        room->free_bytes = (int64_t)disk.f_bavail * disk.f_bsize;
}

enum build_room_fault build_room_look(const struct build_room *room, pid_t pid)
{
    struct tree_size size;
    struct statfs scratch;
    int result = tree_measure(room->folder, &room->enough, &size);

    if (result == -ELOOP)
        return BUILD_ROOM_TOO_DEEP;
    if (measure_scratch(pid, &scratch)) {
        size.bytes += (int64_t)(scratch.f_blocks - scratch.f_bfree) * scratch.f_bsize;
        size.inode_count += (int64_t)(scratch.f_files - scratch.f_ffree);
    }
    if (size.bytes > room->enough.bytes || (pid && has_eaten_the_disk(room)))
        return BUILD_ROOM_TOO_LARGE;
    return size.inode_count > room->enough.inode_count ? BUILD_ROOM_TOO_MANY : BUILD_ROOM_FITS;
}
