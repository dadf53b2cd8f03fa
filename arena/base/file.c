/* SPDX-License-Identifier: MIT */
#include "arena/base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

int file_read_open(int fd, size_t bytes_max, uint8_t **bytes, size_t *size)
{
    struct stat status;
    ssize_t got;

    *bytes = NULL;
    *size = 0;
    if (fstat(fd, &status) < 0)
        return -errno;
    if (!S_ISREG(status.st_mode))
        return S_ISDIR(status.st_mode) ? -EISDIR : -EINVAL;
    if ((uintmax_t)status.st_size > bytes_max)
        return -EFBIG;
    *bytes = malloc((size_t)status.st_size + 1);
    if (!*bytes)
        return -ENOMEM;
    do {
        got = pread(fd, *bytes + *size, (size_t)status.st_size - *size, (off_t)*size);
        *size += got > 0 ? (size_t)got : 0;
    } while (got > 0);
    if (got < 0 ||
        *size < (size_t)status.st_size) { /* EIO: somebody has cut the file since fstat */
        got = got < 0 ? -errno : -EIO;
        free(*bytes);
        *bytes = NULL;
        return (int)got;
    }
    (*bytes)[*size] = '\0';
    return 0;
}

int file_read(const char *path, size_t bytes_max, uint8_t **bytes, size_t *size)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), error;

    *bytes = NULL;
    if (fd < 0)
        return -errno;
    error = file_read_open(fd, bytes_max, bytes, size);
    close(fd);
    return error;
}

int file_write_all(int fd, const void *bytes, size_t size)
{
    const char *at = bytes;

    while (size > 0) {
        ssize_t put = write(fd, at, size);

        if (put < 0 && errno != EINTR)
            return -errno;
        if (put > 0) {
            at += put;
            size -= (size_t)put;
        }
    }
    return 0;
}
