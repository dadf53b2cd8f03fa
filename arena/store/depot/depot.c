/*
 * The writer's side of a depot. A package's file contains its SHA-256 as bytes, then the package.
 */
#include "arena/store/depot/depot.h"

#include <dirent.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <jansson.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "arena/play/tree.h"
#include "arena/store/core.h"
#include "arena/store/depot/depot_file.h"
#include "arena/store/home.h"

enum {
    FOLDER_ATTEMPTS = 8,
};

struct depot {
    char folder[PATH_MAX / 4]; /* this worker's own folder */
    char cache[PATH_MAX / 2];
    char url[PATH_MAX / 4 + 8];
    int64_t bytes_max;
    int lock_fd; /* of the folder: held as long as the worker lives */
};

static const char folder_prefix[] = "arena-depot-";

/* Opens a folder of this user and takes its lock. The descriptor, or -1. */
static int lock_folder(const char *path)
{
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
    struct stat opened, there;

    if (fd < 0)
        return -1;
    if (fstat(fd, &opened) == 0 && opened.st_uid == geteuid() &&
        flock(fd, LOCK_EX | LOCK_NB) == 0 && stat(path, &there) == 0 &&
        there.st_ino == opened.st_ino)
        return fd;
    close(fd);
    return -1;
}

/* Removes folders of workers that were killed: nobody holds their locks. */
static void sweep(const char *parent)
{
    DIR *folder = opendir(parent);
    struct dirent *entry;

    while (folder && (entry = readdir(folder))) {
        char path[PATH_MAX];
        int fd;

        if (strncmp(entry->d_name, folder_prefix, sizeof folder_prefix - 1) != 0)
            continue;
        snprintf(path, sizeof path, "%s/%s", parent, entry->d_name);
        fd = lock_folder(path);
        if (fd < 0)
            continue;
        tree_remove(path);
        close(fd);
    }
    if (folder)
        closedir(folder);
}

/* Makes the worker's own folder, locked. 0 or -errno. */
static int make_folder(struct depot *depot)
{
    const char *temporary = getenv("TMPDIR");
    const char *parent = temporary && *temporary ? temporary : "/tmp";

    sweep(parent);
    for (int attempt = 0; attempt < FOLDER_ATTEMPTS; attempt++) {
        if (snprintf(depot->folder, sizeof depot->folder, "%s/%sXXXXXX", parent, folder_prefix) >=
            (int)sizeof depot->folder)
            return -ENAMETOOLONG;
        if (!mkdtemp(depot->folder))
            return -errno;
        depot->lock_fd = lock_folder(depot->folder);
        if (depot->lock_fd >= 0)
            return 0;
    } /* another worker swept it before it was locked */
    return -EAGAIN;
}

/* Whoever may write there may change what is run here. */
static int check_owner(const char *cache)
{
    struct stat status;

    if (stat(cache, &status) < 0)
        return -errno;
    return status.st_uid == geteuid() && !(status.st_mode & (S_IWGRP | S_IWOTH)) ? 0 : -EPERM;
}

int depot_create(struct depot **made, const char *cache, int64_t bytes_max)
{
    struct depot *depot = calloc(1, sizeof *depot);
    char link[PATH_MAX];
    int error;

    *made = depot;
    if (!depot)
        return -ENOMEM;
    depot->bytes_max = bytes_max;
    if (snprintf(depot->cache, sizeof depot->cache, "%s", cache) >= (int)sizeof depot->cache)
        error = -ENAMETOOLONG;
    else
        error = home_create(cache);
    if (!error)
        error = check_owner(cache);
    if (!error)
        error = make_folder(depot);
    if (error) {
        free(depot);
        *made = NULL;
        return error;
    }
    snprintf(depot->url, sizeof depot->url, "%s:%s", depot_backend.scheme, depot->folder);
    snprintf(link, sizeof link, "%s/" DEPOT_PACKAGES, depot->folder);
    if (symlink(depot->cache, link) == 0)
        return 0;
    error = -errno;
    depot_destroy(depot);
    *made = NULL;
    return error;
}

void depot_destroy(struct depot *depot)
{
    if (!depot)
        return;
    tree_remove(depot->folder);
    close(depot->lock_fd);
    free(depot);
}

const char *depot_url(const struct depot *depot)
{
    return depot->url;
}

int depot_package_read(struct depot *depot, const char *sha256, uint8_t **package, size_t *size)
{
    return depot_file_read(depot->cache, sha256, package, size);
}

/* Writes a temporary file and renames it, so that others never see an incomplete one. */
static int write_file(const char *path, const uint8_t *head, size_t head_bytes,
                      const uint8_t *bytes, size_t size)
{
    char aside[PATH_MAX + 16];
    int fd, error = 0;

    snprintf(aside, sizeof aside, "%s.new-%d", path, (int)getpid());
    fd = open(aside, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0)
        return -errno;
    errno = EIO; /* of a write that ends short */
    if (write(fd, head, head_bytes) != (ssize_t)head_bytes)
        error = -errno;
    while (!error && size > 0) {
        ssize_t written = write(fd, bytes, size);

        if (written < 0)
            error = -errno;
        bytes += written > 0 ? written : 0;
        size -= written > 0 ? (size_t)written : 0;
    }
    close(fd);
    if (!error && rename(aside, path) < 0)
        error = -errno;
    if (error)
        unlink(aside);
    return error;
}

/* Removes the least recently read packages until the rest fits. */
static void shrink(const struct depot *depot)
{
    char *paths[] = {(char *)depot->cache, NULL};

    for (;;) {
        FTS *tree = fts_open(paths, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
        char oldest[PATH_MAX] = "";
        struct timespec oldest_at = {0};
        int64_t sum = 0;
        FTSENT *entry;

        while (tree && (entry = fts_read(tree))) {
            const struct timespec *at = &entry->fts_statp->st_mtim;

            if (entry->fts_info != FTS_F)
                continue;
            sum += entry->fts_statp->st_size;
            if (!*oldest || at->tv_sec < oldest_at.tv_sec ||
                (at->tv_sec == oldest_at.tv_sec && at->tv_nsec < oldest_at.tv_nsec)) {
                snprintf(oldest, sizeof oldest, "%s", entry->fts_path);
                oldest_at = *at;
            }
        }
        if (tree)
            fts_close(tree);
        if (sum <= depot->bytes_max || !*oldest || unlink(oldest) < 0)
            return;
    }
}

int depot_package_add(struct depot *depot, const char *sha256, struct store_package package)
{
    char path[PATH_MAX];
    uint8_t digest[STORE_DIGEST_BYTES];

    if (!row_hash_is_sound(sha256))
        return -EINVAL;
    snprintf(path, sizeof path, "%s/%s", depot->cache, sha256);
    checksum_of_bytes(package.bytes, package.size, digest);
    shrink(depot);
    return write_file(path, digest, sizeof digest, package.bytes, package.size);
}

int depot_bot_add(struct depot *depot, const struct store_bot *bot, const char *manifest)
{
    char path[PATH_MAX];
    json_t *object = json_pack(
        "{s:I, s:s, s:s, s:s, s:s, s:s, s:s, s:s?}", "id", (json_int_t)bot->id, "name", bot->name,
        "version", bot->version, "author", bot->author, "language", bot->language, "sha256",
        bot->sha256, "built_sha256", bot->built_sha256, "manifest", manifest);
    char *text = object ? json_dumps(object, JSON_COMPACT) : NULL;
    int error = -ENOMEM;

    snprintf(path, sizeof path, "%s/" DEPOT_BOT, depot->folder, (long long)bot->id);
    if (text)
        error = write_file(path, NULL, 0, (const uint8_t *)text, strlen(text));
    free(text);
    json_decref(object);
    return error;
}

/* ---- which machine a program is for ---- */

/* Returns the machine field of an ELF header; -1 for anything else. */
static int elf_machine(const uint8_t *bytes, size_t size)
{
    if (size < 20 || memcmp(bytes, ELFMAG, SELFMAG) != 0)
        return -1;
    return bytes[EI_DATA] == ELFDATA2MSB ? bytes[18] << 8 | bytes[19] : bytes[19] << 8 | bytes[18];
}

static int own_machine(void)
{
    uint8_t header[20];
    int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC), machine = -1;

    if (fd >= 0 && read(fd, header, sizeof header) == (ssize_t)sizeof header)
        machine = elf_machine(header, sizeof header);
    if (fd >= 0)
        close(fd);
    return machine;
}

/* In a tar archive, files begin at multiples of 512 bytes. */
bool depot_package_runs_here(struct store_package package)
{
    int own = own_machine();
    bool has_other = false;

    for (size_t at = 0; at < package.size; at += 512) {
        int machine = elf_machine(package.bytes + at, package.size - at);

        if (machine == own && machine >= 0)
            return true;
        has_other = has_other || machine >= 0;
    }
    return !has_other;
}
