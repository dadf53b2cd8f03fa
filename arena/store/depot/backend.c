/* The reader's side of a depot: a store that has bots, their manifests and their packages. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "arena/store/core.h"
#include "arena/store/depot/depot.h"
#include "arena/store/depot/depot_file.h"

static int read_whole(int fd, uint8_t *bytes, size_t size)
{
    while (size > 0) {
        ssize_t got = read(fd, bytes, size);

        if (got <= 0)
            return got < 0 ? -errno : -EIO;
        bytes += got;
        size -= (size_t)got;
    }
    return 0;
}

int depot_file_read(const char *cache, const char *sha256, uint8_t **package, size_t *size)
{
    uint8_t kept[STORE_DIGEST_BYTES], digest[STORE_DIGEST_BYTES];
    char path[PATH_MAX];
    struct stat status;
    int fd, error;

    snprintf(path, sizeof path, "%s/%s", cache, sha256);
    fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (fd < 0)
        return -errno;
    error = fstat(fd, &status) < 0 ? -errno : 0;
    if (!error && (status.st_size < STORE_DIGEST_BYTES ||
                   status.st_size > STORE_DIGEST_BYTES + (off_t)STORE_PACKAGE_BYTES_MAX))
        error = -EIO;
    *size = error ? 0 : (size_t)status.st_size - STORE_DIGEST_BYTES;
    *package = error ? NULL : malloc(*size + 1);
    if (!error && !*package)
        error = -ENOMEM;
    if (!error)
        error = read_whole(fd, kept, sizeof kept);
    if (!error)
        error = read_whole(fd, *package, *size);
    if (!error) {
        checksum_of_bytes(*package, *size, digest);
        error = memcmp(digest, kept, sizeof digest) == 0 ? 0 : -EIO;
    }
    if (!error)
        futimens(fd, NULL); /* marks it as used: the oldest are removed first */
    close(fd);
    if (error == -EIO)
        unlink(path);
    if (error) {
        free(*package);
        *package = NULL;
    }
    return error;
}

static int open_depot(struct store *store, const char *address, enum store_mode mode)
{
    char *folder = strdup(address);

    (void)mode;
    store_set_state(store, folder);
    return folder ? 0 : -ENOMEM;
}

static void close_depot(struct store *store)
{
    free(store_state(store));
}

static void copy_text(json_t *object, const char *key, char *target, size_t size)
{
    const char *text = json_string_value(json_object_get(object, key));

    snprintf(target, size, "%s", text ? text : "");
}

static json_t *load_bot(struct store *store, int64_t id)
{
    char path[PATH_MAX];

    snprintf(path, sizeof path, "%s/" DEPOT_BOT, (const char *)store_state(store), (long long)id);
    return json_load_file(path, 0, NULL);
}

static int tell_bot(struct store *store, int64_t id, store_bot_fn *each_fn, void *context)
{
    json_t *object = load_bot(store, id);
    struct store_bot bot = {.id = id};
    int result;

    if (!object)
        return store_refuse(store, -EIO, "%s: bot %lld cannot be read", store_where(store),
                            (long long)id);
    copy_text(object, "name", bot.name, sizeof bot.name);
    copy_text(object, "version", bot.version, sizeof bot.version);
    copy_text(object, "author", bot.author, sizeof bot.author);
    copy_text(object, "language", bot.language, sizeof bot.language);
    copy_text(object, "sha256", bot.sha256, sizeof bot.sha256);
    copy_text(object, "built_sha256", bot.built_sha256, sizeof bot.built_sha256);
    json_decref(object);
    result = each_fn(context, &bot);
    return result ? -EINTR : 0;
}

/* Compares ids: every store lists bots in ascending order. */
static int compare_ids(const void *a, const void *b)
{
    int64_t left = *(const int64_t *)a, right = *(const int64_t *)b;

    return (left > right) - (left < right);
}

static int bots_each(struct store *store, store_bot_fn *each_fn, void *context)
{
    DIR *folder = opendir(store_state(store));
    int64_t *ids = NULL;
    size_t count = 0;
    struct dirent *entry;
    int error = 0;

    if (!folder)
        return -errno;
    while (!error && (entry = readdir(folder))) {
        long long id;
        int64_t *more;
        char name[64];

        if (sscanf(entry->d_name, DEPOT_BOT, &id) != 1)
            continue;
        snprintf(name, sizeof name, DEPOT_BOT, id);
        if (strcmp(name, entry->d_name) != 0)
            continue;
        more = realloc(ids, (count + 1) * sizeof *ids);
        if (more) {
            ids = more;
            ids[count++] = id;
        } else {
            error = -ENOMEM;
        }
    }
    closedir(folder);
    if (count)
        qsort(ids, count, sizeof *ids, compare_ids);
    for (size_t i = 0; i < count && !error; i++)
        error = tell_bot(store, ids[i], each_fn, context);
    free(ids);
    return error;
}

static int manifest_read(struct store *store, int64_t bot_id, char **text)
{
    json_t *object = load_bot(store, bot_id);
    const char *manifest = json_string_value(json_object_get(object, "manifest"));

    *text = manifest ? strdup(manifest) : NULL;
    json_decref(object);
    if (!object)
        return -EIO;
    return manifest && !*text ? -ENOMEM : 0;
}

/* A missing package is this machine's failure, not the bot's: it will be fetched again. */
static int package_read(struct store *store, const char *sha256, uint8_t **package, size_t *size)
{
    char cache[PATH_MAX];
    int error;

    snprintf(cache, sizeof cache, "%s/" DEPOT_PACKAGES, (const char *)store_state(store));
    error = depot_file_read(cache, sha256, package, size);
    if (!error || error == -ENOMEM)
        return error;
    return store_refuse(store, -EIO, "package %s is no longer in the cache", sha256);
}

static void package_forget(struct store *store, const char *sha256)
{
    char path[PATH_MAX];

    snprintf(path, sizeof path, "%s/" DEPOT_PACKAGES "/%s", (const char *)store_state(store),
             sha256);
    unlink(path);
}

const struct store_backend depot_backend = {
    .scheme = "depot",
    .open = open_depot,
    .close = close_depot,
    .bots_each = bots_each,
    .manifest_read = manifest_read,
    .package_read = package_read,
    .package_forget = package_forget,
};
