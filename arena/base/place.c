/* SPDX-License-Identifier: MIT */
#include "arena/base/place.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "arena/base/file.h"

int place_open(struct place *place, const char *path)
{
    size_t end = strlen(path), begin;
    char folder[PATH_MAX] = ".";

    while (end > 1 && path[end - 1] == '/')
        end--;
    for (begin = end; begin > 0 && path[begin - 1] != '/'; begin--)
        continue;
    if (begin >= sizeof folder || end - begin > NAME_MAX)
        return -ENAMETOOLONG;
    if (begin > 0)
        snprintf(folder, sizeof folder, "%.*s", (int)begin, path);
    snprintf(place->name, sizeof place->name, "%.*s", (int)(end - begin), path + begin);
    if (!*place->name || strcmp(place->name, ".") == 0 || strcmp(place->name, "..") == 0)
        return -EINVAL;
    place->folder_fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    return place->folder_fd < 0 ? -errno : 0;
}

void place_close(struct place *place)
{
    close(place->folder_fd);
}

/*
 * Creates a file in the folder of the place, with a name that nobody can guess and take before.
 * Returns its descriptor or -errno.
 */
static int create_draft(const struct place *place, char draft[static NAME_MAX + 1])
{
    uint64_t number;
    int fd;

    if (getrandom(&number, sizeof number, 0) != sizeof number)
        return -EIO;
    snprintf(draft, NAME_MAX + 1, ".%.200s.%016" PRIx64, place->name, number);
    fd =
        openat(place->folder_fd, draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0644);
    return fd < 0 ? -errno : fd;
}

/* Returns 0 if there is no file at the place, or a file that may be replaced; else -errno. */
static int check_replaceable(const struct place *place, place_check_fn *check_fn)
{
    struct stat status;
    bool is_replaceable;
    int fd;

    if (fstatat(place->folder_fd, place->name, &status, AT_SYMLINK_NOFOLLOW) < 0)
        return errno == ENOENT ? 0 : -errno;
    if (!S_ISREG(status.st_mode))
        return -EEXIST;
    if (!check_fn)
        return 0;
    fd = openat(place->folder_fd, place->name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (fd < 0)
        return -errno;
    is_replaceable = check_fn(fd);
    close(fd);
    return is_replaceable ? 0 : -EEXIST;
}

/* Gives a draft its name, unless the name is taken. Returns 0 or -errno. */
static int publish(const struct place *place, const char *draft)
{
    const int fd = place->folder_fd;

    if (renameat2(fd, draft, fd, place->name, RENAME_NOREPLACE) == 0)
        return 0;
    if (errno != EINVAL && errno != ENOSYS) /* some file systems, NFS for one, cannot do that */
        return -errno;
    if (linkat(fd, draft, fd, place->name, 0) < 0)
        return -errno;
    unlinkat(fd, draft, 0);
    return 0;
}

static int write_file(const char *path, const void *bytes, size_t size, bool over,
                      place_check_fn *check_fn)
{
    char draft[NAME_MAX + 1];
    struct place place;
    int error = place_open(&place, path), fd;

    if (error)
        return error;
    error = over ? check_replaceable(&place, check_fn) : 0;
    fd = error ? error : create_draft(&place, draft);
    if (fd < 0) {
        place_close(&place);
        return fd;
    }
    error = file_write_all(fd, bytes, size);
    if (close(fd) < 0 && !error)
        error = -errno;
    if (!error && over && renameat(place.folder_fd, draft, place.folder_fd, place.name) < 0)
        error = -errno;
    if (!error && !over)
        error = publish(&place, draft);
    if (error)
        unlinkat(place.folder_fd, draft, 0);
    place_close(&place);
    return error;
}

int place_write_new(const char *path, const void *bytes, size_t size)
{
    return write_file(path, bytes, size, false, NULL);
}

int place_write_over(const char *path, const void *bytes, size_t size, place_check_fn *check_fn)
{
    return write_file(path, bytes, size, true, check_fn);
}

const char *place_cure(int error)
{
    switch (error < 0 ? -error : error) {
    case ENOSPC:
    case EDQUOT:
        return ": make room on its disk";
    case ENOENT:
        return ": make its folder first";
    case EACCES:
    case EPERM:
    case EROFS:
        return ": name a place where you may write";
    default:
        return "";
    }
}
