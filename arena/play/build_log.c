#include "arena/play/build_log.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define LOG_PREFIX "arena-build-"
#define LOG_SUFFIX ".log"

char *build_log_keep(const char *bytes, size_t size)
{
    const char *parent = getenv("TMPDIR");
    bool kept;
    char *path;
    int fd;

    if (asprintf(&path, "%s/" LOG_PREFIX "XXXXXX" LOG_SUFFIX, parent && *parent ? parent : "/tmp") <
        0)
        return NULL;
    fd = mkstemps(path, sizeof LOG_SUFFIX - 1);
    kept = fd >= 0 && write(fd, bytes, size) == (ssize_t)size;
    if (fd >= 0)
        close(fd);
    if (kept)
        return path;
    if (fd >= 0)
        unlink(path);
    free(path);
    return NULL;
}

struct log {
    char name[sizeof LOG_PREFIX + sizeof "XXXXXX" + sizeof LOG_SUFFIX];
    time_t written_s;
};

static int compare_logs(const void *a, const void *b)
{
    const struct log *x = a, *y = b;

    return (x->written_s < y->written_s) - (x->written_s > y->written_s);
}

/* Reads the attributes of a folder's entry. Returns false if it is not a log of this user. */
static bool read_log(struct log *log, DIR *folder, const char *name)
{
    const size_t length = sizeof LOG_PREFIX "XXXXXX" LOG_SUFFIX - 1;
    struct stat status;

    if (strlen(name) != length || strncmp(name, LOG_PREFIX, sizeof LOG_PREFIX - 1) != 0 ||
        strcmp(name + length - (sizeof LOG_SUFFIX - 1), LOG_SUFFIX) != 0 ||
        fstatat(dirfd(folder), name, &status, AT_SYMLINK_NOFOLLOW) < 0 ||
        !S_ISREG(status.st_mode) || status.st_uid != geteuid())
        return false;
    strcpy(log->name, name);
    log->written_s = status.st_mtime;
    return true;
}

void build_log_remove_old(const char *path)
{
    /* Newest first, with room for one more than is kept. */
    struct log kept[BUILD_LOG_COUNT_MAX + 1];
    const time_t oldest_s = time(NULL) - BUILD_LOG_KEPT_S;
    DIR *folder = opendir(path);
    const struct dirent *entry;
    size_t count = 0;

    while (folder && (entry = readdir(folder))) {
        if (!read_log(&kept[count], folder, entry->d_name))
            continue;
        qsort(kept, ++count, sizeof *kept, compare_logs);
        if (count > BUILD_LOG_COUNT_MAX || kept[count - 1].written_s < oldest_s)
            unlinkat(dirfd(folder), kept[--count].name, 0);
    }
    if (folder)
        closedir(folder);
}
