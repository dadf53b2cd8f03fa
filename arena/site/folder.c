#include "arena/site/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "arena/play/tree.h"

/* A folder with this file is a site that the arena wrote. */
static const char mark[] = "site.txt";
static const char mark_text[] = "Written by `arena publish`, which replaces this folder.\n";

enum {
    START_BYTES_MAX = 1024, /* limit of a page's identifying beginning */
    ATTEMPTS = 10,          /* to create a folder that no other publication removes as left over */
};

static int fail(struct folder *folder, int error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static int fail(struct folder *folder, int error, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(folder->error, sizeof folder->error, format, arguments);
    va_end(arguments);
    return error;
}

/* True for an empty folder. */
static bool is_empty(int folder_fd)
{
    int fd = openat(folder_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
    int count = 0;

    if (!dir) {
        if (fd >= 0)
            close(fd);
        return false;
    }
    while (readdir(dir))
        count++;
    closedir(dir);
    return count == 2;
}

static int join(struct folder *folder, char path[static PATH_MAX], const char *root,
                const char *name)
{
    int size = snprintf(path, PATH_MAX, "%s/%s", root, name);

    return size < PATH_MAX ? 0 : fail(folder, -ENAMETOOLONG, "%s: path too long", name);
}

/* True if the folder is empty or contains the mark of a site. */
static bool is_ours(int fd)
{
    char text[sizeof mark_text];
    int mark_fd = openat(fd, mark, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    bool is;

    if (mark_fd < 0)
        return errno == ENOENT && is_empty(fd);
    is = read(mark_fd, text, sizeof text) == (ssize_t)sizeof mark_text - 1 &&
         memcmp(text, mark_text, sizeof mark_text - 1) == 0;
    close(mark_fd);
    return is;
}

/* Checks that path may be replaced: it does not exist, is an empty folder, or is a site. */
static int check_replaceable(struct folder *folder)
{
    struct stat status;
    bool ours;
    int fd;

    if (lstat(folder->path, &status) < 0)
        return errno == ENOENT ? 0 : fail(folder, -errno, "%s", strerror(errno));
    folder->exists = true;
    if (!S_ISDIR(status.st_mode))
        return fail(folder, -EEXIST, "is not a folder; choose another name");
    fd = open(folder->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
    if (fd < 0)
        return fail(folder, -errno, "%s", strerror(errno));
    ours = is_ours(fd);
    close(fd);
    if (ours)
        return 0;
    return fail(folder, -EEXIST, "is a folder with something else in it; choose another name");
}

/* Removes a site, its mark last, so that if this is killed, the rest can still be recognized. */
static void remove_site(const char *path)
{
    DIR *dir = opendir(path);
    const struct dirent *entry;

    while (dir && (entry = readdir(dir))) {
        char inner[PATH_MAX];

        if (strcmp(entry->d_name, mark) != 0 && strcmp(entry->d_name, ".") != 0 &&
            strcmp(entry->d_name, "..") != 0 &&
            snprintf(inner, sizeof inner, "%s/%s", path, entry->d_name) < (int)sizeof inner)
            tree_remove(inner);
    }
    if (dir)
        closedir(dir);
    tree_remove(path);
}

/* Returns the length of a path without trailing slashes. */
static size_t trim(const char *path)
{
    size_t size = strlen(path);

    while (size > 1 && path[size - 1] == '/')
        size--;
    return size;
}

/* True for the name of a temporary folder of a publication of this site: BASE.new-PID. */
static bool is_aside(const char *name, const char *base, size_t base_bytes)
{
    static const char infix[] = ".new-";
    const char *pid = name + base_bytes + sizeof infix - 1;

    return strncmp(name, base, base_bytes) == 0 &&
           strncmp(name + base_bytes, infix, sizeof infix - 1) == 0 && *pid != '\0' &&
           strspn(pid, "0123456789") == strlen(pid);
}

static void remove_if_left(const char *path)
{
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);

    if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0 && is_ours(fd))
        remove_site(path);
    if (fd >= 0)
        close(fd);
}

/* Removes the folders left beside the site at path, which has no trailing slash. */
static void remove_left(const char *path)
{
    const char *slash = strrchr(path, '/');
    size_t parent_bytes = slash ? (size_t)(slash + 1 - path) : 0;
    const char *base = path + parent_bytes;
    char parent[PATH_MAX], left[PATH_MAX];
    const struct dirent *entry;
    DIR *dir;

    snprintf(parent, sizeof parent, "%.*s", (int)parent_bytes, path);
    dir = opendir(parent_bytes ? parent : ".");
    while (dir && (entry = readdir(dir)))
        if (is_aside(entry->d_name, base, strlen(base)) &&
            snprintf(left, sizeof left, "%s%s", parent, entry->d_name) < (int)sizeof left)
            remove_if_left(left);
    if (dir)
        closedir(dir);
}

/* Sets the path, and checks it. */
static int open_path(struct folder *folder, const char *path)
{
    size_t size = trim(path);

    memset(folder, 0, sizeof *folder);
    if (size == 0 || size + 32 > PATH_MAX)
        return fail(folder, -ENAMETOOLONG, "name a folder");
    memcpy(folder->path, path, size);
    return check_replaceable(folder);
}

int folder_remove_left(const char *path, char error[static FOLDER_ERROR_BYTES])
{
    struct folder folder;
    int result = open_path(&folder, path);

    memcpy(error, folder.error, FOLDER_ERROR_BYTES);
    if (!result)
        remove_left(folder.path);
    return result;
}

/*
 * Creates the temporary folder and locks it. Returns 0, -EAGAIN if another publication removed it
 * as left over, or -errno.
 */
static int make_aside(struct folder *folder)
{
    struct stat status = {0};

    if (mkdir(folder->aside, 0755) < 0)
        return -errno;
    folder->lock_fd = open(folder->aside, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder->lock_fd >= 0 && flock(folder->lock_fd, LOCK_SH | LOCK_NB) == 0 &&
        fstat(folder->lock_fd, &status) == 0 && status.st_nlink > 0)
        return 0;
    if (folder->lock_fd >= 0)
        close(folder->lock_fd);
    return -EAGAIN;
}

int folder_begin(struct folder *folder, const char *path)
{
    int error = open_path(folder, path);

    if (error)
        return error;
    snprintf(folder->aside, sizeof folder->aside, "%.*s.new-%d", (int)(PATH_MAX - 32), folder->path,
             (int)getpid());
    remove_left(folder->path);
    for (int attempt = 0; attempt < ATTEMPTS; attempt++)
        if ((error = make_aside(folder)) != -EAGAIN)
            break;
    if (error)
        return fail(folder, error, "%s: %s", folder->aside, strerror(-error));
    error = folder_put(folder, mark, mark_text, sizeof mark_text - 1);
    if (error)
        folder_abandon(folder);
    return error;
}

/* Creates the folders of a file's path, including the site's own. */
static void make_parents(struct folder *folder, char path[static PATH_MAX])
{
    size_t root_bytes = strlen(folder->aside), size = (size_t)(strrchr(path, '/') - path);

    if (strncmp(folder->made, path, size) == 0 && folder->made[size] == '\0')
        return;
    memcpy(folder->made, path, size);
    folder->made[size] = '\0';
    for (char *slash = strchr(path + root_bytes + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(path, 0755);
        *slash = '/';
    }
}

/* True if the file has exactly these bytes. */
static bool holds(const char *path, const void *bytes, size_t size)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    struct stat status;
    bool same = false;
    void *old;

    if (fd < 0)
        return false;
    if (fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && (size_t)status.st_size == size) {
        old = size ? mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0) : NULL;
        same = size == 0 || (old != MAP_FAILED && memcmp(old, bytes, size) == 0);
        if (old && old != MAP_FAILED)
            munmap(old, size);
    }
    close(fd);
    return same;
}

static int write_file(struct folder *folder, const char *path, const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wxe");
    int error = 0;

    if (!file)
        return fail(folder, -errno, "%s: %s", path, strerror(errno));
    if (fwrite(bytes, 1, size, file) != size)
        error = -errno;
    if (fclose(file) != 0 && !error)
        error = -errno;
    return error ? fail(folder, error, "%s: %s", path, strerror(-error)) : 0;
}

int folder_put(struct folder *folder, const char *name, const void *bytes, size_t size)
{
    char old[PATH_MAX], path[PATH_MAX];
    int error = join(folder, old, folder->path, name);

    if (!error)
        error = join(folder, path, folder->aside, name);
    if (error)
        return error;
    make_parents(folder, path);
    if (folder->exists && holds(old, bytes, size) && link(old, path) == 0) {
        folder->kept_count++;
        return 0;
    }
    folder->written_count++;
    return write_file(folder, path, bytes, size);
}

/* True if the file begins with these bytes. */
static bool begins_with(const char *path, const char *start)
{
    char bytes[START_BYTES_MAX];
    size_t size = strlen(start);
    int fd = size <= sizeof bytes ? open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW) : -1;
    bool same;

    if (fd < 0)
        return false;
    same = read(fd, bytes, size) == (ssize_t)size && memcmp(bytes, start, size) == 0;
    close(fd);
    return same;
}

bool folder_keep(struct folder *folder, const char *name, const char *start)
{
    char old[PATH_MAX], path[PATH_MAX];

    if (!folder->exists || join(folder, old, folder->path, name) < 0 ||
        join(folder, path, folder->aside, name) < 0 || (*start && !begins_with(old, start)))
        return false;
    make_parents(folder, path);
    if (link(old, path) < 0)
        return false;
    folder->kept_count++;
    return true;
}

int folder_commit(struct folder *folder)
{
    int done = folder->exists
                   ? renameat2(AT_FDCWD, folder->aside, AT_FDCWD, folder->path, RENAME_EXCHANGE)
                   : renameat2(AT_FDCWD, folder->aside, AT_FDCWD, folder->path, RENAME_NOREPLACE);
    int error = done < 0 ? fail(folder, -errno, "cannot be exchanged: %s", strerror(errno)) : 0;

    /* After the exchange the older site is in the temporary folder. */
    folder_abandon(folder);
    return error;
}

void folder_abandon(struct folder *folder)
{
    remove_site(folder->aside);
    close(folder->lock_fd);
}
