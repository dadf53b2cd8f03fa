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
#include <sys/stat.h>
#include <unistd.h>

#include "arena/play/tree.h"

/* A folder with this file is a site that the arena wrote. */
static const char mark[] = "site.txt";
static const char mark_text[] = "Written by `arena publish`, which replaces this folder.\n";

/* The list of its files: page_list.h. */
static const char keys[] = "site.keys";

enum {
    ATTEMPTS = 10, /* to create a folder that no other publication removes as left over */
    NAME_BYTES_MAX = 512,
    KEYS_BYTES_MAX = 1 << 28,
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
    folder->aside_fd = open(folder->aside, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder->aside_fd >= 0 && flock(folder->aside_fd, LOCK_SH | LOCK_NB) == 0 &&
        fstat(folder->aside_fd, &status) == 0 && status.st_nlink > 0)
        return 0;
    if (folder->aside_fd >= 0)
        close(folder->aside_fd);
    return -EAGAIN;
}

/*
 * Opens the spare folder and locks it; creates it if there is none. Fails if another publication
 * has it, or if it is not the arena's.
 */
static bool take_spare(struct folder *folder)
{
    const char *slash = strrchr(folder->path, '/');
    const char *base = slash ? slash + 1 : folder->path;
    struct stat status, named;
    int fd;

    if (strcmp(base, ".") == 0 || strcmp(base, "..") == 0)
        return false;
    snprintf(folder->aside, sizeof folder->aside, "%.*s.%.*s.spare", (int)(base - folder->path),
             folder->path, NAME_MAX, base);
    if (mkdir(folder->aside, 0755) < 0 && errno != EEXIST)
        return false;
    fd = open(folder->aside, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
    /* What was locked may have become the site in the meantime. */
    if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0 && fstat(fd, &status) == 0 &&
        lstat(folder->aside, &named) == 0 && named.st_ino == status.st_ino && is_ours(fd)) {
        folder->aside_fd = fd;
        return true;
    }
    if (fd >= 0)
        close(fd);
    return false;
}

/* Takes the spare folder, or else creates a temporary one. */
static int take_aside(struct folder *folder)
{
    int error = 0;

    folder->has_spare = take_spare(folder);
    if (folder->has_spare)
        return 0;
    snprintf(folder->aside, sizeof folder->aside, "%.*s.new-%d", (int)(PATH_MAX - 32), folder->path,
             (int)getpid());
    for (int attempt = 0; attempt < ATTEMPTS; attempt++)
        if ((error = make_aside(folder)) != -EAGAIN)
            break;
    return error ? fail(folder, error, "%s: %s", folder->aside, strerror(-error)) : 0;
}

/* Reads the older site's list of files, if it has one that can be believed. */
static void read_keys(struct folder *folder)
{
    int fd = openat(folder->old_fd, keys, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    struct stat status;

    if (fd >= 0 && fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0 &&
        status.st_size <= KEYS_BYTES_MAX) {
        char *text = malloc((size_t)status.st_size);

        if (text && read(fd, text, (size_t)status.st_size) == (ssize_t)status.st_size)
            page_list_unpack(&folder->old_files, text, (size_t)status.st_size, folder->form);
        free(text);
    }
    if (fd >= 0)
        close(fd);
}

int folder_begin(struct folder *folder, const char *path, uint64_t form)
{
    int error = open_path(folder, path);

    if (error)
        return error;
    folder->form = form;
    remove_left(folder->path);
    error = take_aside(folder);
    if (error)
        return error;
    folder->old_fd =
        folder->exists ? open(folder->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW) : -1;
    if (folder->old_fd >= 0)
        read_keys(folder);
    error = folder_put(folder, mark, 0, mark_text, sizeof mark_text - 1);
    if (error)
        folder_abandon(folder);
    return error;
}

/* Creates the folders of a file in the site's folder fd. */
static void make_parents(struct folder *folder, int fd, const char *name)
{
    const char *end = strrchr(name, '/');
    size_t size = end ? (size_t)(end - name) : 0;
    char path[NAME_BYTES_MAX];

    if (size == 0 || size >= sizeof path ||
        (strncmp(folder->made, name, size) == 0 && folder->made[size] == '\0'))
        return;
    memcpy(path, name, size);
    path[size] = '\0';
    for (char *slash = strchr(path, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdirat(fd, path, 0755);
        *slash = '/';
    }
    mkdirat(fd, path, 0755);
    memcpy(folder->made, path, size + 1);
}

/*
 * Gives a file of one site's folder to another site's, which may have another one, or the same one,
 * by that name. Returns false if it looks different by now.
 */
static bool share(struct folder *folder, int from_fd, int to_fd, const struct page_entry *entry)
{
    struct stat status, other;

    if (fstatat(from_fd, entry->name, &status, AT_SYMLINK_NOFOLLOW) < 0 ||
        !page_entry_looks_like(entry, &status))
        return false;
    if (fstatat(to_fd, entry->name, &other, AT_SYMLINK_NOFOLLOW) == 0) {
        if (other.st_ino == status.st_ino && other.st_dev == status.st_dev)
            return true;
        unlinkat(to_fd, entry->name, 0);
    } else {
        make_parents(folder, to_fd, entry->name);
    }
    return linkat(from_fd, entry->name, to_fd, entry->name, 0) == 0;
}

/* Keeps a file of the older site under another key, or the same one. */
static bool keep(struct folder *folder, const struct page_entry *old, uint64_t key)
{
    struct page_entry entry = *old;

    entry.key = key;
    if (!share(folder, folder->old_fd, folder->aside_fd, old) ||
        page_list_add(&folder->files, &entry) < 0)
        return false;
    folder->kept_count++;
    return true;
}

bool folder_keep(struct folder *folder, const char *name, uint64_t key)
{
    const struct page_entry *old = page_list_find(&folder->old_files, name);

    return key && old && old->key == key && keep(folder, old, key);
}

/* Writes a file that the folder aside does not have, and takes over what it looks like. */
static int write_file(struct folder *folder, struct page_entry *entry, const char *bytes,
                      size_t size)
{
    int fd = openat(folder->aside_fd, entry->name,
                    O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0644);
    int error = fd < 0 ? -errno : 0;
    struct stat status;

    while (size > 0 && !error) {
        ssize_t put = write(fd, bytes, size);

        if (put < 0 && errno != EINTR)
            error = -errno;
        if (put > 0) {
            bytes += put;
            size -= (size_t)put;
        }
    }
    if (!error && fstat(fd, &status) < 0)
        error = -errno;
    if (!error)
        page_entry_look(entry, &status);
    if (fd >= 0 && close(fd) < 0 && !error)
        error = -errno;
    if (error)
        return fail(folder, error, "%s/%s: %s", folder->aside, entry->name, strerror(-error));
    folder->written_count++;
    return 0;
}

int folder_put(struct folder *folder, const char *name, uint64_t key, const void *bytes,
               size_t size)
{
    const struct page_entry *old = page_list_find(&folder->old_files, name);
    char copy[NAME_BYTES_MAX];
    struct page_entry entry = {.name = copy, .key = key, .sum = page_list_sum(0, bytes, size)};
    int error;

    if (snprintf(copy, sizeof copy, "%s", name) >= (int)sizeof copy)
        return fail(folder, -ENAMETOOLONG, "%.100s: name too long", name);
    if (old && old->sum == entry.sum && old->size == (int64_t)size && keep(folder, old, key))
        return 0;
    make_parents(folder, folder->aside_fd, name);
    if (unlinkat(folder->aside_fd, name, 0) < 0 && errno != ENOENT)
        return fail(folder, -errno, "%s/%s: %s", folder->aside, name, strerror(errno));
    error = write_file(folder, &entry, bytes, size);
    if (!error && page_list_add(&folder->files, &entry) < 0)
        error = fail(folder, -ENOMEM, "out of memory");
    return error;
}

/* Removes the files below a folder of the spare that the new site does not have. */
static void remove_others(const struct folder *folder, int parent_fd, const char *name,
                          const char *path)
{
    int fd = openat(parent_fd, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
    DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
    const struct dirent *entry;

    if (!dir && fd >= 0)
        close(fd);
    while (dir && (entry = readdir(dir))) {
        char inner[PATH_MAX];

        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0 ||
            snprintf(inner, sizeof inner, "%s%s%s", path, *path ? "/" : "", entry->d_name) >=
                (int)sizeof inner ||
            page_list_find(&folder->files, inner) || strcmp(inner, keys) == 0)
            continue;
        if (unlinkat(fd, entry->d_name, 0) == 0 || errno != EISDIR)
            continue;
        remove_others(folder, fd, entry->d_name, inner);
        unlinkat(fd, entry->d_name, AT_REMOVEDIR); /* unless something is left in it */
    }
    if (dir)
        closedir(dir);
}

static int write_keys(struct folder *folder)
{
    char name[sizeof keys];
    struct page_entry entry = {.name = name};
    size_t size;
    char *text = page_list_pack(&folder->files, folder->form, &size);
    int error;

    if (!text)
        return fail(folder, -ENOMEM, "out of memory");
    memcpy(name, keys, sizeof keys);
    unlinkat(folder->aside_fd, keys, 0);
    error = write_file(folder, &entry, text, size);
    free(text);
    return error;
}

/*
 * After the first publication: makes the spare, so that the next one has only to write what
 * changed. Without it that one takes longer, no more.
 */
static void make_spare(struct folder *folder)
{
    int site_fd = folder->aside_fd;

    *folder->made = '\0';
    if (!take_spare(folder))
        return;
    for (size_t i = 0; i < folder->files.count; i++)
        share(folder, site_fd, folder->aside_fd, &folder->files.entries[i]);
    close(site_fd);
}

int folder_commit(struct folder *folder)
{
    bool first = folder->has_spare && !folder->exists;
    int error = 0;

    if (folder->old_fd < 0 || !page_list_equal(&folder->files, &folder->old_files)) {
        error = write_keys(folder);
        if (!error)
            remove_others(folder, folder->aside_fd, ".", "");
        if (!error && renameat2(AT_FDCWD, folder->aside, AT_FDCWD, folder->path,
                                folder->exists ? RENAME_EXCHANGE : RENAME_NOREPLACE) < 0)
            error = fail(folder, -errno, "cannot be exchanged: %s", strerror(errno));
        if (error)
            folder->has_spare = false; /* it is of no use there: a full disk, a mount point */
        else if (first)
            make_spare(folder);
    }
    /* After the exchange the older site is in the folder aside. */
    folder_abandon(folder);
    return error;
}

void folder_abandon(struct folder *folder)
{
    if (!folder->has_spare)
        remove_site(folder->aside);
    close(folder->aside_fd);
    if (folder->old_fd >= 0)
        close(folder->old_fd);
    page_list_finish(&folder->old_files);
    page_list_finish(&folder->files);
}
