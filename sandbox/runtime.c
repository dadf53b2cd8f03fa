/* SPDX-License-Identifier: MIT */
#include "sandbox/runtime.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct {
    const char *pattern;
    bool runs;
} sources[] = {
    {"/usr", true},
    {"/bin", true},
    {"/sbin", true},
    {"/lib", true},
    {"/lib32", true},
    {"/lib64", true},
    {"/libx32", true},
    {"/etc/ld.so.cache", false},
    {"/etc/alternatives", false}, /* symlinks such as /usr/bin/java lead through this folder */
    {"/etc/localtime", false},
    {"/etc/ssl/openssl.cnf", false}, /* Node reads this file when Node starts */
    {"/etc/java-*", false},
    {"/etc/mono", false},
    {"/etc/python*", false},
    {"/etc/perl", false},
    {"/etc/php", false},
    {"/dev/null", false},
    {"/dev/zero", false},
    {"/dev/urandom", false},
    {"/dev/random", false},
};

/* Folders that never become readable to bots, even if a symlink leads into them. */
static const char *const never[] = {"/home", "/root", "/etc", "/var",  "/proc", "/sys",
                                    "/dev",  "/run",  "/tmp", "/boot", "/mnt",  "/media"};

static bool lies_below(const char *path, const char *folder)
{
    size_t length = strlen(folder);

    return strncmp(path, folder, length) == 0 && (path[length] == '/' || path[length] == '\0');
}

static bool is_covered(const struct runtime *runtime, const char *path)
{
    for (size_t i = 0; i < runtime->path_count; i++)
        if (!runtime->paths[i].is_link && lies_below(path, runtime->paths[i].path))
            return true;
    return false;
}

static int add_path(struct runtime *runtime, const char *path, bool runs)
{
    struct runtime_path *entry = &runtime->paths[runtime->path_count];
    struct stat stat;
    int path_fd;

    if (runtime->path_count == RUNTIME_PATHS_MAX || strlen(path) >= sizeof entry->path)
        return -ENAMETOOLONG;
    if (lstat(path, &stat) < 0)
        return errno == ENOENT ? 0 : -errno;
    path_fd = open(path, O_PATH | O_CLOEXEC);
    if (path_fd < 0)
        return errno == ENOENT || (errno == EACCES && !runs) ? 0 : -errno; /* a dangling symlink */
    strcpy(entry->path, path);
    entry->path_fd = path_fd;
    entry->runs = runs;
    entry->is_link = S_ISLNK(stat.st_mode);
    if (entry->is_link && readlink(path, entry->link_target, sizeof entry->link_target - 1) < 0) {
        close(path_fd);
        return -errno;
    }
    if (fstat(path_fd, &stat) < 0) {
        close(path_fd);
        return -errno;
    }
    entry->is_folder = S_ISDIR(stat.st_mode);
    entry->is_device = S_ISCHR(stat.st_mode);
    runtime->path_count++;
    return 0;
}

/* False if a path leads nowhere, or nobody may follow it: bots go without what it names. */
static bool is_machines_error(int error)
{
    return error == ENOMEM || error == EMFILE || error == ENFILE || error == EIO;
}

/* Adds a path; or, for "FOLDER/PREFIX*", each path in the folder that begins with the prefix. */
static int add_pattern(struct runtime *runtime, const char *pattern, bool runs)
{
    const char *star = strchr(pattern, '*');
    size_t prefix_length = star ? (size_t)(strrchr(pattern, '/') + 1 - pattern) : 0;
    char path[RUNTIME_PATH_BYTES_MAX + 256];
    struct dirent *entry;
    DIR *folder;
    int result = 0;

    if (!star)
        return add_path(runtime, pattern, runs);
    snprintf(path, sizeof path, "%.*s", (int)prefix_length, pattern);
    folder = opendir(path);
    if (!folder)
        return is_machines_error(errno) ? -errno : 0;
    while (result == 0 && (errno = 0, entry = readdir(folder))) {
        const size_t length = (size_t)(star - pattern) - prefix_length;

        if (strncmp(entry->d_name, pattern + prefix_length, length) != 0)
            continue;
        snprintf(path, sizeof path, "%.*s%s", (int)prefix_length, pattern, entry->d_name);
        result = add_path(runtime, path, runs);
        errno = 0;
    }
    result = result == 0 ? -errno : result;
    closedir(folder);
    return result;
}

/*
 * Adds the installation folder to which a symlink leads: for the link /usr/local/bin/node to
 * /opt/node-20/bin/node, the folder /opt/node-20. Returns 0 or -errno.
 */
static int add_prefix(struct runtime *runtime, const char *link)
{
    char target[PATH_MAX];

    if (!realpath(link, target))
        return is_machines_error(errno) ? -errno : 0;
    if (is_covered(runtime, target))
        return 0;
    for (size_t i = 0; i < sizeof never / sizeof *never; i++)
        if (lies_below(target, never[i]))
            return 0;
    *strrchr(target, '/') = '\0';
    if (strlen(target) > 4 && strcmp(target + strlen(target) - 4, "/bin") == 0)
        target[strlen(target) - 4] = '\0';
    if (!strchr(target + 1, '/')) /* a folder such as /opt itself would reveal too much */
        return 0;
    return add_path(runtime, target, true);
}

int runtime_add_installed(struct runtime *runtime, const char *path)
{
    DIR *folder = opendir(path);
    struct dirent *entry;
    int result = 0;

    if (!folder)
        return is_machines_error(errno) ? -errno : 0;
    while (result == 0 && (errno = 0, entry = readdir(folder))) {
        char link[PATH_MAX];

        if (entry->d_type != DT_LNK)
            continue;
        snprintf(link, sizeof link, "%s/%s", path, entry->d_name);
        result = add_prefix(runtime, link);
        if (result == -ENAMETOOLONG)
            result = 0; /* the table of runtimes is full: bots go without this one */
        errno = 0;
    }
    result = result == 0 ? -errno : result;
    closedir(folder);
    return result;
}

int runtime_init(struct runtime *runtime)
{
    int result = 0;

    memset(runtime, 0, sizeof *runtime);
    for (size_t i = 0; i < sizeof sources / sizeof *sources && result == 0; i++)
        result = add_pattern(runtime, sources[i].pattern, sources[i].runs);
    if (result == 0)
        result = runtime_add_installed(runtime, "/usr/local/bin");
    if (result < 0)
        runtime_finish(runtime);
    return result;
}

void runtime_finish(struct runtime *runtime)
{
    for (size_t i = 0; i < runtime->path_count; i++)
        close(runtime->paths[i].path_fd);
    memset(runtime, 0, sizeof *runtime);
}

int runtime_find_program(const char *name, char path[static RUNTIME_PATH_BYTES_MAX])
{
    const char *folder = RUNTIME_PATH;

    while (*folder) {
        size_t length = strcspn(folder, ":");
        int written = snprintf(path, RUNTIME_PATH_BYTES_MAX, "%.*s/%s", (int)length, folder, name);

        if (written >= RUNTIME_PATH_BYTES_MAX)
            return -ENAMETOOLONG;
        if (faccessat(AT_FDCWD, path, X_OK, AT_EACCESS) == 0)
            return 0;
        if (is_machines_error(errno))
            return -errno;
        folder += length + (folder[length] == ':');
    }
    return -ENOENT;
}
