/* SPDX-License-Identifier: MIT */
#include "tests/play_faults/fault.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

struct fault fault;

/* True if this call is the one to fail. */
static bool fails(const char *name)
{
    if (!fault.counts || fault.count++ != fault.at)
        return false;
    if (fault.error == FAULT_SHORT && strcmp(name, "read") != 0 && strcmp(name, "write") != 0)
        return false;
    fault.name = name;
    errno = fault.error;
    return true;
}

/* The names that the linker gives to what stands in for a function of the C library. */
/* NOLINTBEGIN(bugprone-reserved-identifier,bugprone-macro-parentheses) */
#define STAND_IN(type, failed, name, parameters, arguments)                                        \
    type __real_##name parameters;                                                                 \
    type __wrap_##name parameters;                                                                 \
    type __wrap_##name parameters                                                                  \
    {                                                                                              \
        return fails(#name) ? failed : __real_##name arguments;                                    \
    }

STAND_IN(int, -1, open, (const char *path, int flags, mode_t mode), (path, flags, mode))
STAND_IN(int, -1, openat, (int fd, const char *path, int flags, mode_t mode),
         (fd, path, flags, mode))
STAND_IN(int, -1, mkdir, (const char *path, mode_t mode), (path, mode))
STAND_IN(int, -1, mkdirat, (int fd, const char *path, mode_t mode), (fd, path, mode))
STAND_IN(int, -1, chmod, (const char *path, mode_t mode), (path, mode))
STAND_IN(int, -1, fchmod, (int fd, mode_t mode), (fd, mode))
STAND_IN(int, -1, fchmodat, (int fd, const char *path, mode_t mode, int flags),
         (fd, path, mode, flags))
STAND_IN(int, -1, stat, (const char *path, struct stat *status), (path, status))
STAND_IN(int, -1, lstat, (const char *path, struct stat *status), (path, status))
STAND_IN(int, -1, fstat, (int fd, struct stat *status), (fd, status))
STAND_IN(int, -1, fstatat, (int fd, const char *path, struct stat *status, int flags),
         (fd, path, status, flags))
STAND_IN(DIR *, NULL, opendir, (const char *path), (path))
STAND_IN(DIR *, NULL, fdopendir, (int fd), (fd))
STAND_IN(ssize_t, -1, readlinkat, (int fd, const char *path, char *text, size_t size),
         (fd, path, text, size))
STAND_IN(int, -1, symlinkat, (const char *target, int fd, const char *path), (target, fd, path))
STAND_IN(int, -1, rename, (const char *from, const char *to), (from, to))
STAND_IN(int, -1, renameat, (int fd, const char *from, int to_fd, const char *to),
         (fd, from, to_fd, to))
STAND_IN(int, -1, unlinkat, (int fd, const char *path, int flags), (fd, path, flags))
STAND_IN(int, -1, unlink, (const char *path), (path))
STAND_IN(int, -1, rmdir, (const char *path), (path))
STAND_IN(int, -1, faccessat, (int fd, const char *path, int mode, int flags),
         (fd, path, mode, flags))
STAND_IN(int, -1, flock, (int fd, int operation), (fd, operation))
STAND_IN(char *, NULL, realpath, (const char *path, char *real), (path, real))
STAND_IN(long, -1, syscall, (long number, long a, long b, long c, long d, long e),
         (number, a, b, c, d, e))
STAND_IN(int, -1, utimensat, (int fd, const char *path, const struct timespec *times, int flags),
         (fd, path, times, flags))
FILE *__real_fopen(const char *path, const char *mode);
FILE *__wrap_fopen(const char *path, const char *mode);
ssize_t __real_read(int fd, void *bytes, size_t size);
ssize_t __wrap_read(int fd, void *bytes, size_t size);
ssize_t __real_write(int fd, const void *bytes, size_t size);
ssize_t __wrap_write(int fd, const void *bytes, size_t size);
int __real_fclose(FILE *file);
int __wrap_fclose(FILE *file);
size_t __real_fwrite(const void *bytes, size_t size, size_t count, FILE *file);
size_t __wrap_fwrite(const void *bytes, size_t size, size_t count, FILE *file);
char *__wrap_mkdtemp(char *path);

FILE *__wrap_fopen(const char *path, const char *mode)
{
    return fails("fopen") ? NULL : __real_fopen(path, mode);
}

ssize_t __wrap_read(int fd, void *bytes, size_t size)
{
    if (fails("read"))
        return fault.error == FAULT_SHORT ? 0 : -1;
    return __real_read(fd, bytes, size);
}

ssize_t __wrap_write(int fd, const void *bytes, size_t size)
{
    if (fails("write"))
        return fault.error == FAULT_SHORT ? (ssize_t)size - 1 : -1;
    return __real_write(fd, bytes, size);
}

/* What it could not write is lost, and its descriptor is closed. */
int __wrap_fclose(FILE *file)
{
    bool failed = fails("fclose");
    int error = errno, result = __real_fclose(file);

    errno = failed ? error : errno;
    return failed ? EOF : result;
}

/* The error is the file's. */
size_t __wrap_fwrite(const void *bytes, size_t size, size_t count, FILE *file)
{
    if (fileno(file) < 0 || !fails("fwrite")) /* in memory, it never fails */
        return __real_fwrite(bytes, size, count, file);
    close(fileno(file));
    open("/dev/full", O_WRONLY | O_CLOEXEC); /* which takes the same descriptor */
    setvbuf(file, NULL, _IONBF, 0);
    return __real_fwrite(bytes, size, count, file);
}

char *__wrap_mkdtemp(char *path)
{
    if (fails("mkdtemp"))
        return NULL;
    memcpy(path + strlen(path) - 6, "random", 6); /* names are always the same */
    return mkdir(path, 0700) < 0 ? NULL : path;
}
/* NOLINTEND(bugprone-reserved-identifier,bugprone-macro-parentheses) */
