#include "arena/intake/queue.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena/play/source.h"
#include "arena/play/tree.h"
#include "arena/store/archive.h"
#include "arena/trial/check.h"

/* Reads the manifest of the copy and fills in the submission's name, version and author. */
static int read_manifest(struct store *store, const char *copy, const char *path,
                         struct store_submission *submission, char error[static SOURCE_ERROR_BYTES])
{
    char fault[MANIFEST_ERROR_BYTES];
    struct manifest manifest;
    struct store_bot bot;
    int result = source_read_manifest(&manifest, copy, path, error);

    if (result < 0)
        return result;
    if (!check_manifest(&manifest, fault)) {
        snprintf(error, SOURCE_ERROR_BYTES, "%s/bot.json: %s", path, fault);
        result = PACKAGE_REFUSED;
    } else if (store_bot_find(store, manifest.name, manifest.version, &bot) == 0) {
        snprintf(error, SOURCE_ERROR_BYTES,
                 "bot %s already has a version %s: change the version in bot.json", manifest.name,
                 manifest.version);
        result = PACKAGE_REFUSED;
    } else {
        snprintf(submission->name, sizeof submission->name, "%.*s", STORE_NAME_BYTES_MAX,
                 manifest.name);
        snprintf(submission->version, sizeof submission->version, "%s", manifest.version);
        snprintf(submission->author, sizeof submission->author, "%s", manifest.author);
    }
    manifest_finish(&manifest);
    return result;
}

/* Packs the copy and stores it. */
static int keep(struct store *store, const char *copy, struct store_submission *submission,
                char error[static SOURCE_ERROR_BYTES])
{
    char pack_error[ARCHIVE_ERROR_BYTES];
    uint8_t *bytes;
    size_t size;
    int result;

    if (archive_pack(copy, &bytes, &size, pack_error) < 0) {
        snprintf(error, SOURCE_ERROR_BYTES, "%s", pack_error);
        return PACKAGE_FAILED;
    }
    result = store_submission_add(store, submission, (struct store_package){bytes, size});
    free(bytes);
    if (result == 0)
        return 0;
    snprintf(error, SOURCE_ERROR_BYTES, "%s", store_failure(store));
    return result == -EINVAL ? PACKAGE_REFUSED : PACKAGE_FAILED;
}

int queue_submission(struct store *store, const char *path, struct store_submission *submission,
                     char error[static SOURCE_ERROR_BYTES])
{
    struct stage *stage = stage_create(NULL);
    char *copy = NULL;
    char copy_error[PACKAGE_ERROR_BYTES];
    int result = PACKAGE_FAILED;

    if (!stage) {
        snprintf(error, SOURCE_ERROR_BYTES, "a folder for a copy cannot be made in %s: %s",
                 getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp", strerror(errno));
        return result;
    }
    if (asprintf(&copy, "%s/given", stage->path) < 0) {
        copy = NULL;
        snprintf(error, SOURCE_ERROR_BYTES, "out of memory");
    } else {
        result = package_copy(path, copy, submission->sha256, copy_error);
        if (result < 0)
            snprintf(error, SOURCE_ERROR_BYTES, "%s: %s", path, copy_error);
    }
    if (result == 0)
        result = read_manifest(store, copy, path, submission, error);
    if (result == 0)
        result = keep(store, copy, submission, error);
    free(copy);
    stage_destroy(stage);
    return result;
}
