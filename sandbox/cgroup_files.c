#include "sandbox/cgroup_files.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int cgroup_write_text(int folder_fd, const char *name, const char *text)
{
    int fd = openat(folder_fd, name, O_WRONLY | O_CLOEXEC);
    int result = 0;

    if (fd < 0)
        return -errno;
    if (write(fd, text, strlen(text)) < 0)
        result = -errno;
    close(fd);
    return result;
}

int cgroup_write_number(int folder_fd, const char *name, int64_t number)
{
    char text[32];

    snprintf(text, sizeof text, "%" PRId64, number);
    return cgroup_write_text(folder_fd, name, text);
}

bool cgroup_read_text(int folder_fd, const char *name, char *text, size_t capacity)
{
    int fd = openat(folder_fd, name, O_RDONLY | O_CLOEXEC);
    ssize_t length;

    if (fd < 0)
        return false;
    length = read(fd, text, capacity - 1);
    close(fd);
    text[length > 0 ? length : 0] = '\0';
    return length >= 0;
}
