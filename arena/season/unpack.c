#include "arena/season/unpack.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "arena/play/subprocess.h"
#include "arena/play/tree.h"
#include "arena/store/archive.h"

/*
 * Unpacks a package to folder and checks the package's hash. `where`, for error messages, is
 * "store" or "cache". Returns a package_result, with one line in error.
 */
static int unpack_package(const char *folder, const uint8_t *bytes, size_t size, const char *sha256,
                          const char *where, char error[static SOURCE_ERROR_BYTES])
{
    char hash[PACKAGE_HASH_CHARS + 1], archive_error[ARCHIVE_ERROR_BYTES],
        copy_error[PACKAGE_ERROR_BYTES];
    const char *how;
    int result;

    tree_remove(folder); /* left over from an attempt that was killed */
    result = archive_unpack(bytes, size, folder, archive_error);
    if (result == ARCHIVE_REFUSED) {
        how = strstr(archive_error, ": ");
        snprintf(error, SOURCE_ERROR_BYTES, "its package in the %s is damaged%s", where,
                 how ? how : "");
        return PACKAGE_REFUSED;
    }
    if (result < 0) {
        snprintf(error, SOURCE_ERROR_BYTES, "%s", archive_error);
        return PACKAGE_FAILED;
    }
    result = package_copy(folder, NULL, hash, copy_error);
    if (result < 0) {
        snprintf(error, SOURCE_ERROR_BYTES, "%s", copy_error);
        return result;
    }
    if (strcmp(hash, sha256) == 0)
        return 0;
    snprintf(error, SOURCE_ERROR_BYTES, "its package in the %s is damaged: the hash differs",
             where);
    return PACKAGE_REFUSED;
}

/* ---- unpacking a bot from the store ---- */

static int unpack_stored(struct source *source, struct store *store, const struct store_bot *bot,
                         char error[static SOURCE_ERROR_BYTES])
{
    char what[MANIFEST_ERROR_BYTES];
    uint8_t *bytes;
    size_t size;
    int result = store_package_read(store, bot->built_sha256, &bytes, &size);

    if (result == 0) {
        result = unpack_package(source->folder, bytes, size, bot->built_sha256, "store", error);
        free(bytes);
        if (result < 0)
            return result;
        result = store_manifest_read(store, bot->id, &source->manifest_text);
    }
    if (result < 0) { /* a missing row is this bot's fault; any other error is the arena's */
        snprintf(error, SOURCE_ERROR_BYTES, "%s", store_failure(store));
        return result == -ENOENT ? PACKAGE_REFUSED : PACKAGE_FAILED;
    }
    if (manifest_parse(&source->manifest, source->manifest_text, strlen(source->manifest_text),
                       what) == 0)
        return 0;
    snprintf(error, SOURCE_ERROR_BYTES, "%s", what);
    return PACKAGE_REFUSED;
}

int unpack_bot(struct source *source, struct store *store, const struct store_bot *bot,
               const char *stage, int number, char error[static SOURCE_ERROR_BYTES])
{
    char what[SOURCE_ERROR_BYTES] = "out of memory";
    int result = PACKAGE_FAILED;

    *source = (struct source){0};
    if (asprintf(&source->folder, "%s/%d", stage, number) < 0)
        source->folder = NULL;
    else
        result = unpack_stored(source, store, bot, what);
    if (result < 0) {
        snprintf(error, SOURCE_ERROR_BYTES, "bot %s %s: %.4096s", bot->name, bot->version, what);
        source_close(source);
        return result;
    }
    memcpy(source->sha256, bot->sha256, sizeof source->sha256);
    return 0;
}

/* ---- the process `arena unpack` ---- */

static int unpack_file(const char *path, const char *sha256, const char *folder, const char *where,
                       char error[static SOURCE_ERROR_BYTES])
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW), result = PACKAGE_FAILED;
    struct stat status;
    void *bytes = MAP_FAILED;

    if (fd >= 0 && fstat(fd, &status) == 0)
        bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (bytes == MAP_FAILED) {
        snprintf(error, SOURCE_ERROR_BYTES, "%s: %s", path, strerror(errno));
    } else {
        result = unpack_package(folder, bytes, (size_t)status.st_size, sha256, where, error);
        munmap(bytes, (size_t)status.st_size);
    }
    if (fd >= 0)
        close(fd);
    return result;
}

int unpack_run(char **arguments)
{
    bool is_copy = strcmp(arguments[4], "keep") == 0;
    char error[SOURCE_ERROR_BYTES];
    int result;

    if (!subprocess_settle(atoi(arguments[3])))
        return UNPACK_FAILED;
    result =
        unpack_file(arguments[0], arguments[1], arguments[2], is_copy ? "cache" : "store", error);
    if (result == PACKAGE_REFUSED || !is_copy)
        unlink(arguments[0]);
    if (result == 0)
        return UNPACK_DONE;
    printf("%s", error);
    if (fflush(stdout) != 0)
        return UNPACK_FAILED;
    return result == PACKAGE_REFUSED ? UNPACK_REFUSED : UNPACK_FAILED;
}
