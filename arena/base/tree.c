/* SPDX-License-Identifier: MIT */
#include "arena/base/tree.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

int tree_open_below(int folder_fd, const char *path, int flags)
{
    struct open_how how = {.flags = (unsigned)(flags | O_CLOEXEC | O_NOFOLLOW),
                           .resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS};

    return (int)syscall(SYS_openat2, folder_fd, path, &how, sizeof how);
}

/* Returns the folder's next entry except "." and ".."; NULL after the last entry. */
static const struct dirent *next_entry(DIR *folder)
{
    const struct dirent *entry;

    do
        entry = readdir(folder);
    while (entry && (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0));
    return entry;
}

/*
 * Opens a folder, even one without permissions. Refuses a folder on another device. Returns NULL
 * with errno set.
 */
static DIR *open_folder(int parent_fd, const char *name, dev_t device)
{
    const int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK;
    int fd = openat(parent_fd, name, flags);
    struct stat status;
    DIR *folder;

    if (fd < 0 && errno == EACCES && fchmodat(parent_fd, name, 0700, AT_SYMLINK_NOFOLLOW) == 0)
        fd = openat(parent_fd, name, flags);
    if (fd < 0)
        return NULL;
    if (fstat(fd, &status) < 0 || status.st_dev != device) {
        close(fd);
        errno = EXDEV;
        return NULL;
    }
    if ((status.st_mode & 0500) != 0500) /* without read and execute permission, the folder's files
                                            could be listed but not removed */
        fchmod(fd, 0700);
    folder = fdopendir(fd);
    if (!folder)
        close(fd);
    return folder;
}

/* ---- removal ---- */

/*
 * The folder to remove. The code first moves each nonempty folder from any depth directly into this
 * folder and then empties it, so that two open descriptors suffice.
 */
struct removal {
    int fd;
    dev_t device;
    unsigned moved_count; /* number for the name of the next folder that is moved up */
    int error;            /* the first error as -errno, 0: none */
};

static bool note(struct removal *removal, int error)
{
    if (!removal->error)
        removal->error = -error;
    return false;
}

/* Moves a nonempty folder directly into the folder to remove. Returns true on success. */
static bool move_up(struct removal *removal, int parent_fd, const char *name)
{
    struct stat status;
    char moved[32];

    if (fstatat(parent_fd, name, &status, AT_SYMLINK_NOFOLLOW) < 0)
        return note(removal, errno);
    if (status.st_dev != removal->device)
        return note(removal, EXDEV);
    /* Moving a folder changes its entry "..", which needs write permission on the folder itself. */
    if (S_ISDIR(status.st_mode) && !(status.st_mode & 0200) &&
        fchmodat(parent_fd, name, 0700, AT_SYMLINK_NOFOLLOW) < 0)
        return note(removal, errno);
    do
        snprintf(moved, sizeof moved, ".removed-%u", removal->moved_count++);
    while (faccessat(removal->fd, moved, F_OK, AT_SYMLINK_NOFOLLOW) == 0);
    return renameat(parent_fd, name, removal->fd, moved) == 0 || note(removal, errno);
}

/*
 * Removes one entry if it is a file, a link or an empty folder. Else returns false with errno set.
 */
static bool remove_plain(int parent_fd, const char *name)
{
    return unlinkat(parent_fd, name, 0) == 0 || unlinkat(parent_fd, name, AT_REMOVEDIR) == 0;
}

/*
 * Empties the folder `name` in the folder to remove: removes its entries, and moves its nonempty
 * folders up. Returns true if it removed or moved anything.
 */
static bool empty(struct removal *removal, const char *name)
{
    DIR *folder = open_folder(removal->fd, name, removal->device);
    const struct dirent *entry;
    bool changed = false;

    if (!folder)
        return note(removal, errno);
    fchmod(dirfd(folder), 0700);
    while ((entry = next_entry(folder)))
        changed |= remove_plain(dirfd(folder), entry->d_name) ||
                   move_up(removal, dirfd(folder), entry->d_name);
    closedir(folder);
    return changed;
}

/*
 * Tries once to remove everything in the folder to remove. Returns true if anything changed, so
 * that another pass may remove more.
 */
static bool pass(struct removal *removal, DIR *folder)
{
    const struct dirent *entry;
    bool changed = false;

    rewinddir(folder);
    while ((entry = next_entry(folder)))
        changed |= remove_plain(removal->fd, entry->d_name) || empty(removal, entry->d_name) ||
                   remove_plain(removal->fd, entry->d_name);
    return changed;
}

int tree_remove(const char *path)
{
    struct removal removal = {.error = 0};
    struct stat status;
    DIR *folder;

    if (remove_plain(AT_FDCWD, path))
        return 0;
    if (lstat(path, &status) < 0)
        return -errno;
    if (!S_ISDIR(status.st_mode))
        return unlink(path) < 0 ? -errno : 0;
    folder = open_folder(AT_FDCWD, path, status.st_dev);
    if (!folder)
        return -errno;
    removal.fd = dirfd(folder);
    removal.device = status.st_dev;
    fchmod(removal.fd, 0700);
    while (pass(&removal, folder))
        removal.error = 0;
    closedir(folder);
    if (rmdir(path) == 0)
        return 0;
    return removal.error ? removal.error : -errno;
}

/* ---- modes and sizes ---- */

/* Called for each entry of a tree; for a folder before its contents. Returns 0 or -errno. */
typedef int visit_fn(void *owner, int parent_fd, const char *name, const struct stat *status);

struct visitor {
    visit_fn *visit_fn;
    void *owner;
    bool is_raced; /* skip files and folders that other processes exchange during the walk */
};

/*
 * True if an error means that somebody has replaced the folder since the walk listed it. The walk
 * skips such an entry, so that nobody can stop the walk by exchanging folders.
 */
static bool has_changed(int error)
{
    return error == ENOTDIR || error == ELOOP || error == EXDEV;
}

static int visit_below(DIR *folder, dev_t device, int depth, const struct visitor *visitor)
{
    const struct dirent *entry;
    int result = depth > TREE_DEPTH_MAX ? -ELOOP : 0;

    while (result == 0 && (entry = next_entry(folder))) {
        struct stat status;
        DIR *below;

        if (fstatat(dirfd(folder), entry->d_name, &status, AT_SYMLINK_NOFOLLOW) < 0) {
            result = errno == ENOENT ? 0 : -errno;
            continue;
        }
        result = visitor->visit_fn(visitor->owner, dirfd(folder), entry->d_name, &status);
        if (result < 0 || !S_ISDIR(status.st_mode) || status.st_dev != device)
            continue;
        below = open_folder(dirfd(folder), entry->d_name, device);
        if (!below) {
            result = errno == ENOENT || (visitor->is_raced && has_changed(errno)) ? 0 : -errno;
            continue;
        }
        result = visit_below(below, device, depth + 1, visitor);
        closedir(below);
    }
    return result;
}

static int visit_tree(const char *path, const struct visitor *visitor)
{
    struct stat status;
    DIR *folder;
    int result;

    if (lstat(path, &status) < 0)
        return -errno;
    result = visitor->visit_fn(visitor->owner, AT_FDCWD, path, &status);
    if (result < 0 || !S_ISDIR(status.st_mode))
        return result;
    folder = open_folder(AT_FDCWD, path, status.st_dev);
    if (!folder)
        return -errno;
    result = visit_below(folder, status.st_dev, 0, visitor);
    closedir(folder);
    return result;
}

static int set_plain_mode(void *owner, int parent_fd, const char *name, const struct stat *status)
{
    mode_t mode = 0755;

    (void)owner;
    if (S_ISREG(status->st_mode))
        mode = status->st_mode & 0111 ? 0755 : 0644;
    else if (!S_ISDIR(status->st_mode))
        return 0;
    if ((status->st_mode & 07777) == mode)
        return 0;
    return fchmodat(parent_fd, name, mode, AT_SYMLINK_NOFOLLOW) < 0 ? -errno : 0;
}

int tree_set_plain_modes(const char *path)
{
    return visit_tree(path, &(struct visitor){.visit_fn = set_plain_mode});
}

struct measuring {
    const struct tree_size *enough;
    struct tree_size *size;
    void (*meanwhile_fn)(void *owner); /* or NULL */
    void *owner;
};

static int add_size(void *owner, int parent_fd, const char *name, const struct stat *status)
{
    const struct measuring *measuring = owner;
    struct tree_size *size = measuring->size;

    (void)parent_fd;
    (void)name;
    if (measuring->meanwhile_fn)
        measuring->meanwhile_fn(measuring->owner);
    size->bytes += (int64_t)status->st_blocks * 512;
    size->inode_count++;
    if (S_ISREG(status->st_mode) &&
        __builtin_add_overflow(size->file_bytes, status->st_size, &size->file_bytes))
        size->file_bytes = INT64_MAX; /* sparse files may have 8 EiB each */
    return size->bytes > measuring->enough->bytes ||
                   size->inode_count > measuring->enough->inode_count
               ? -ECANCELED
               : 0;
}

int tree_measure(const char *path, const struct tree_size *enough, struct tree_size *size,
                 void (*meanwhile_fn)(void *owner), void *owner)
{
    struct measuring measuring = {enough, size, meanwhile_fn, owner};
    int result;

    *size = (struct tree_size){0};
    result = visit_tree(path, &(struct visitor){add_size, &measuring, .is_raced = true});
    return result == -ECANCELED ? 0 : result;
}
