#include "arena/site/page_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char page_start[] = "<!DOCTYPE html>";

/* Returns 0 if there is no file or a page, -EEXIST for another file, or another -errno. */
static int check_replaceable(const char *path)
{
    char start[sizeof page_start - 1];
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    ssize_t got;

    if (fd < 0)
        return errno == ENOENT ? 0 : -errno;
    got = read(fd, start, sizeof start);
    close(fd);
    if (got < 0)
        return -errno;
    return (size_t)got == sizeof start && memcmp(start, page_start, sizeof start) == 0 ? 0
                                                                                       : -EEXIST;
}

static int write_all(int fd, const char *bytes, size_t size)
{
    while (size > 0) {
        ssize_t put = write(fd, bytes, size);

        if (put < 0 && errno != EINTR)
            return -errno;
        if (put > 0) {
            bytes += put;
            size -= (size_t)put;
        }
    }
    return 0;
}

int page_file_write(const char *path, const char *page, size_t size)
{
    char *draft;
    int fd, result = check_replaceable(path);

    if (result < 0)
        return result;
    if (asprintf(&draft, "%s.%d", path, (int)getpid()) < 0)
        return -ENOMEM;
    fd = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    if (fd < 0) {
        result = -errno;
    } else {
        result = write_all(fd, page, size);
        if (close(fd) < 0 && result == 0)
            result = -errno;
        if (result == 0 && rename(draft, path) < 0)
            result = -errno;
        if (result < 0)
            unlink(draft);
    }
    free(draft);
    return result;
}
