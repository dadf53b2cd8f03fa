/* SPDX-License-Identifier: MIT */
/* A slow disk, as a library to preload: each sync takes SLOW_DISK_MS longer. */
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static void rest(void)
{
    const char *ms = getenv("SLOW_DISK_MS");
    long rest_ms = ms ? atol(ms) : 0;
    const struct timespec pause = {.tv_sec = rest_ms / 1000, .tv_nsec = rest_ms % 1000 * 1000000};

    nanosleep(&pause, NULL);
}

int fsync(int fd)
{
    rest();
    return (int)syscall(SYS_fsync, fd);
}

int fdatasync(int fd)
{
    rest();
    return (int)syscall(SYS_fdatasync, fd);
}
