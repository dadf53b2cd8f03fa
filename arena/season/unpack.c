#include "arena/season/unpack.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena/play/tree.h"
#include "arena/store/archive.h"

static int tell(char error[static SOURCE_ERROR_BYTES], const struct store_bot *bot,
                const char *what, int result)
{
    snprintf(error, SOURCE_ERROR_BYTES, "bot %s %s: %s", bot->name, bot->version, what);
    return result;
}

/* Reports a store error: a missing package is this bot's fault, any other error the arena's. */
static int tell_store(char error[static SOURCE_ERROR_BYTES], const struct store_bot *bot,
                      const struct store *store, int store_error)
{
    return tell(error, bot, store_failure(store),
                store_error == -ENOENT ? PACKAGE_REFUSED : PACKAGE_FAILED);
}

/* Nothing is held against the bot where only this machine's copy of its package is damaged. */
static int tell_damaged(char error[static SOURCE_ERROR_BYTES], const struct store_bot *bot,
                        struct store *store, const char *sha256, const char *how)
{
    bool is_copy = store_package_forget(store, sha256);
    char what[ARCHIVE_ERROR_BYTES];

    snprintf(what, sizeof what, "its package in the %s is damaged%s", is_copy ? "cache" : "store",
             how ? how : "");
    return tell(error, bot, what, is_copy ? PACKAGE_FAILED : PACKAGE_REFUSED);
}

/* Unpacks a stored package to folder and checks its hash. */
static int unpack_package(const char *folder, struct store *store, const struct store_bot *bot,
                          const char *sha256, char error[static SOURCE_ERROR_BYTES])
{
    char hash[PACKAGE_HASH_CHARS + 1], unpack_error[ARCHIVE_ERROR_BYTES],
        copy_error[PACKAGE_ERROR_BYTES];
    uint8_t *bytes;
    size_t size;
    int result = store_package_read(store, sha256, &bytes, &size);

    if (result < 0)
        return tell_store(error, bot, store, result);
    result = archive_unpack(bytes, size, folder, unpack_error);
    free(bytes);
    if (result == ARCHIVE_REFUSED)
        return tell_damaged(error, bot, store, sha256, strstr(unpack_error, ": "));
    if (result < 0)
        return tell(error, bot, unpack_error, PACKAGE_FAILED);
    result = package_copy(folder, NULL, hash, copy_error);
    if (result < 0)
        return tell(error, bot, copy_error,
                    result == PACKAGE_REFUSED && store_package_forget(store, sha256)
                        ? PACKAGE_FAILED
                        : result);
    if (strcmp(hash, sha256) != 0)
        return tell_damaged(error, bot, store, sha256, ": the hash differs");
    return 0;
}

/*
 * Reads a folder's manifest, which was just parsed; the caller frees it. NULL if it cannot be read.
 */
static char *read_text(const char *folder)
{
    char path[4096];
    char *text = calloc(1, MANIFEST_BYTES_MAX + 1);
    FILE *file;

    snprintf(path, sizeof path, "%s/bot.json", folder);
    file = text ? fopen(path, "re") : NULL;
    if (file) {
        text[fread(text, 1, MANIFEST_BYTES_MAX, file)] = '\0';
        fclose(file);
        return text;
    }
    free(text);
    return NULL;
}

/* Reads the manifest of a bot that an older arena accepted: from its submitted package. */
static int read_given_manifest(struct source *source, struct store *store,
                               const struct store_bot *bot, char error[static SOURCE_ERROR_BYTES])
{
    char *given = NULL;
    int result;

    if (asprintf(&given, "%s.given", source->folder) < 0)
        return tell(error, bot, "out of memory", PACKAGE_FAILED);
    result = unpack_package(given, store, bot, bot->sha256, error);
    if (result == 0)
        result = source_read_manifest(&source->manifest, given, bot->name, error);
    if (result == 0 && !(source->manifest_text = read_text(given)))
        result = tell(error, bot, "its manifest cannot be kept", PACKAGE_FAILED);
    tree_remove(given);
    free(given);
    return result;
}

/* Reads the manifest as submitted, whatever the build left in the folder. */
static int read_manifest(struct source *source, struct store *store, const struct store_bot *bot,
                         char error[static SOURCE_ERROR_BYTES])
{
    char what[MANIFEST_ERROR_BYTES];
    char *text;
    int result = store_manifest_read(store, bot->id, &text);

    if (result < 0)
        return tell_store(error, bot, store, result);
    if (!text)
        return read_given_manifest(source, store, bot, error);
    if (manifest_parse(&source->manifest, text, strlen(text), what) < 0)
        result = tell(error, bot, what, PACKAGE_REFUSED);
    source->manifest_text = text;
    return result;
}

int unpack_bot(struct source *source, struct store *store, const struct store_bot *bot,
               const char *stage, int number, char error[static SOURCE_ERROR_BYTES])
{
    int result;

    *source = (struct source){0};
    if (asprintf(&source->folder, "%s/%d", stage, number) < 0) {
        source->folder = NULL;
        return tell(error, bot, "out of memory", PACKAGE_FAILED);
    }
    tree_remove(source->folder); /* what an attempt left that was killed */
    result = unpack_package(source->folder, store, bot, bot->built_sha256, error);
    if (result == 0)
        result = read_manifest(source, store, bot, error);
    if (result < 0) {
        source_close(source);
        return result;
    }
    memcpy(source->sha256, bot->sha256, sizeof source->sha256);
    return 0;
}
