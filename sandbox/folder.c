#include "sandbox/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    DEPTH_MAX = 256, /* open descriptors; a hostile build may nest folders without limit */
};

static int give_below(int parent_fd, const char *name, uid_t owner, int depth)
{
    int folder_fd = openat(parent_fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    struct dirent *entry;
    int result = 0;
    DIR *folder;

    if (folder_fd < 0)
        return -errno;
    folder = fdopendir(folder_fd);
    if (!folder) {
        result = -errno;
        close(folder_fd);
        return result;
    }
    while (result == 0 && (entry = readdir(folder))) {
        struct stat stat;

        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        if (fchownat(folder_fd, entry->d_name, owner, owner, AT_SYMLINK_NOFOLLOW) < 0 ||
            fstatat(folder_fd, entry->d_name, &stat, AT_SYMLINK_NOFOLLOW) < 0)
            result = -errno;
        else if (S_ISDIR(stat.st_mode))
            result = depth > 0 ? give_below(folder_fd, entry->d_name, owner, depth - 1) : -ELOOP;
    }
    closedir(folder);
    return result;
}

int folder_give(const char *path, uid_t owner)
{
    if (chown(path, owner, owner) < 0)
        return -errno;
    return give_below(AT_FDCWD, path, owner, DEPTH_MAX);
}
