#include "arena/replay/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "arena/replay/replay.h"

char *replay_file_path(const char *folder, const char *match)
{
    char *path;

    return asprintf(&path, "%s/%s.replay", folder, match) < 0 ? NULL : path;
}

int replay_file_read(const char *path, uint8_t **bytes, size_t *size)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat status;
    ssize_t got;
    int result = 0;

    *bytes = NULL;
    if (fd < 0)
        return -errno;
    if (fstat(fd, &status) < 0)
        result = -errno;
    else if (!S_ISREG(status.st_mode))
        result = S_ISDIR(status.st_mode) ? -EISDIR : -EINVAL;
    else if (status.st_size > REPLAY_BYTES_MAX)
        result = -EFBIG;
    if (result == 0) {
        *size = (size_t)status.st_size;
        *bytes = malloc(*size + 1);
        got = *bytes ? read(fd, *bytes, *size) : 0;
        result = !*bytes                ? -ENOMEM
                 : got < 0              ? -errno
                 : got < status.st_size ? -EIO /* somebody has cut the file since fstat */
                                        : 0;
    }
    close(fd);
    if (result < 0) {
        free(*bytes);
        *bytes = NULL;
    }
    return result;
}
