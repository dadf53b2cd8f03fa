#include "arena/play/build_cache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <nettle/sha2.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "arena/play/tree.h"

/*
 * An entry is a folder named by its key. It contains `built`, the files, and `sha256`, the hash of
 * these files as a package. It is created under a temporary name and renamed, so that it is
 * complete.
 */
#define NEW_PREFIX "new-"

enum {
    KEY_CHARS = PACKAGE_HASH_CHARS,
    NEW_KEPT_S = 60 * 60, /* an older temporary entry was abandoned */
};

static void name_key(const struct build_key *key, char name[static KEY_CHARS + 1])
{
    uint8_t digest[SHA256_DIGEST_SIZE];
    struct sha256_ctx hash;
    char tier[16];

    sha256_init(&hash);
    sha256_update(&hash, strlen(key->package_sha256) + 1, (const uint8_t *)key->package_sha256);
    for (const char *const *word = key->command; *word; word++)
        sha256_update(&hash, strlen(*word) + 1, (const uint8_t *)*word);
    snprintf(tier, sizeof tier, "%d", key->tier);
    sha256_update(&hash, strlen(tier) + 1, (const uint8_t *)tier);
    sha256_digest(&hash, sizeof digest, digest);
    for (size_t i = 0; i < sizeof digest; i++)
        sprintf(name + 2 * i, "%02x", digest[i]);
}

/* Joins a path. Returns false if it is too long. */
static bool join(char path[static PATH_MAX], const char *folder, const char *name)
{
    int length = snprintf(path, PATH_MAX, "%s/%s", folder, name);

    return length > 0 && length < PATH_MAX;
}

/* ---- reading from the cache ---- */

static bool read_hash(const char *entry, char hash[static PACKAGE_HASH_CHARS + 1])
{
    char path[PATH_MAX];
    ssize_t got;
    int fd;

    if (!join(path, entry, "sha256"))
        return false;
    fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (fd < 0)
        return false;
    got = read(fd, hash, PACKAGE_HASH_CHARS);
    close(fd);
    hash[PACKAGE_HASH_CHARS] = '\0';
    return got == PACKAGE_HASH_CHARS;
}

bool build_cache_take(const char *cache, const struct build_key *key, const char *target)
{
    char name[KEY_CHARS + 1], entry[PATH_MAX], built[PATH_MAX], error[PACKAGE_ERROR_BYTES];
    char wanted[PACKAGE_HASH_CHARS + 1], found[PACKAGE_HASH_CHARS + 1];

    name_key(key, name);
    if (!join(entry, cache, name) || !join(built, entry, "built") || !read_hash(entry, wanted))
        return false;
    if (package_copy(built, target, found, error) == 0 && strcmp(found, wanted) == 0) {
        utimensat(AT_FDCWD, entry, NULL, AT_SYMLINK_NOFOLLOW); /* marks it as just used */
        return true;
    }
    tree_remove(target);
    tree_remove(entry);
    return false;
}

/* ---- writing to the cache ---- */

static bool make_folders(const char *path)
{
    char partial[PATH_MAX];

    if (snprintf(partial, sizeof partial, "%s", path) >= (int)sizeof partial)
        return false;
    for (char *slash = strchr(partial + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (mkdir(partial, 0700) < 0 && errno != EEXIST)
            return false;
        *slash = '/';
    }
    return mkdir(partial, 0700) == 0 || errno == EEXIST;
}

static bool write_hash_file(const char *entry, const char *hash)
{
    char path[PATH_MAX];
    bool written;
    int fd;

    if (!join(path, entry, "sha256"))
        return false;
    fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd < 0)
        return false;
    written = write(fd, hash, PACKAGE_HASH_CHARS) == PACKAGE_HASH_CHARS;
    return close(fd) == 0 && written;
}

struct entry {
    char name[NAME_MAX + 1];
    struct timespec used;
    int64_t bytes;
};

static int compare_entries(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;

    if (x->used.tv_sec != y->used.tv_sec)
        return (x->used.tv_sec < y->used.tv_sec) - (x->used.tv_sec > y->used.tv_sec);
    return (x->used.tv_nsec < y->used.tv_nsec) - (x->used.tv_nsec > y->used.tv_nsec);
}

/* Lists at most room entries, newest first, and removes the others. Returns how many. */
static int list_entries(const char *cache, struct entry *entries, int room)
{
    DIR *folder = opendir(cache);
    const struct dirent *found;
    int count = 0;

    while (folder && (found = readdir(folder))) {
        struct tree_size size, enough = {.bytes = INT64_MAX, .inode_count = INT64_MAX};
        struct stat status;
        char path[PATH_MAX];

        if (*found->d_name == '.' || !join(path, cache, found->d_name) || lstat(path, &status) < 0)
            continue;
        if (strncmp(found->d_name, NEW_PREFIX, strlen(NEW_PREFIX)) == 0) {
            if (status.st_mtime + NEW_KEPT_S < time(NULL))
                tree_remove(path);
            continue;
        }
        tree_measure(path, &enough, &size);
        snprintf(entries[count].name, sizeof entries[count].name, "%s", found->d_name);
        entries[count].used = status.st_mtim;
        entries[count].bytes = size.bytes;
        qsort(entries, (size_t)++count, sizeof *entries, compare_entries);
        if (count > room) {
            if (join(path, cache, entries[--count].name))
                tree_remove(path);
        }
    }
    if (folder)
        closedir(folder);
    return count;
}

/* Removes the least recently used entries until the rest is within the limits. */
static void trim(const char *cache)
{
    struct entry *entries = calloc(BUILD_CACHE_COUNT_MAX + 1, sizeof *entries);
    int64_t bytes = 0;
    int count = entries ? list_entries(cache, entries, BUILD_CACHE_COUNT_MAX) : 0;

    for (int i = 0; i < count; i++) {
        char path[PATH_MAX];

        bytes += entries[i].bytes;
        if (bytes > (int64_t)BUILD_CACHE_MIB_MAX << 20 && join(path, cache, entries[i].name))
            tree_remove(path);
    }
    free(entries);
}

void build_cache_keep(const char *cache, const struct build_key *key, const char *folder)
{
    char name[KEY_CHARS + 1], entry[PATH_MAX], made[PATH_MAX], built[PATH_MAX];
    char hash[PACKAGE_HASH_CHARS + 1], error[PACKAGE_ERROR_BYTES];

    name_key(key, name);
    if (!make_folders(cache) || !join(made, cache, NEW_PREFIX "XXXXXX") ||
        !join(entry, cache, name) || !mkdtemp(made))
        return;
    if (!join(built, made, "built") || package_copy(folder, built, hash, error) < 0 ||
        !write_hash_file(made, hash)) {
        tree_remove(made);
        return;
    }
    tree_remove(entry);
    if (rename(made, entry) < 0)
        tree_remove(made); /* another arena stored the same entry first */
    trim(cache);
}
