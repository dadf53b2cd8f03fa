#include "arena/season/staging.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena/play/tree.h"
#include "arena/store/archive.h"

int staging_init(struct staging *staging, struct store *store, const struct sandbox *sandbox)
{
    *staging = (struct staging){.store = store, .stage = source_stage_create(sandbox)};
    return staging->stage ? 0 : -errno;
}

void staging_finish(struct staging *staging)
{
    for (int i = 0; i < staging->count; i++) {
        if (!staging->sources[i])
            continue;
        source_close(staging->sources[i]);
        free(staging->sources[i]);
    }
    free(staging->sources);
    source_stage_destroy(staging->stage);
    *staging = (struct staging){0};
}

static int tell(char error[static SOURCE_ERROR_BYTES], const struct store_bot *bot,
                const char *what, int result)
{
    snprintf(error, SOURCE_ERROR_BYTES, "bot %s %s: %s", bot->name, bot->version, what);
    return result;
}

/* A store that is damaged concerns this bot; one that is busy or full, the arena. */
static int tell_store(char error[static SOURCE_ERROR_BYTES], const struct store_bot *bot,
                      const struct store *store, int store_error)
{
    return tell(error, bot, store_failure(store),
                store_error == -ENOENT ? PACKAGE_REFUSED : PACKAGE_FAILED);
}

static int tell_damaged(char error[static SOURCE_ERROR_BYTES], const struct store_bot *bot,
                        const char *how)
{
    char what[ARCHIVE_ERROR_BYTES];

    snprintf(what, sizeof what, "its package in the store is damaged%s", how ? how : "");
    return tell(error, bot, what, PACKAGE_REFUSED);
}

/* Unpacks a package of the store to folder and sees that it is what was kept. */
static int unpack(const char *folder, struct store *store, const struct store_bot *bot,
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
        return tell_damaged(error, bot, strstr(unpack_error, ": "));
    if (result < 0)
        return tell(error, bot, unpack_error, PACKAGE_FAILED);
    result = package_copy(folder, NULL, hash, copy_error);
    if (result < 0)
        return tell(error, bot, copy_error, result);
    if (strcmp(hash, sha256) != 0)
        return tell_damaged(error, bot, ": the hash differs");
    return 0;
}

/* For a bot that an older arena took in: the manifest of the package as it was given. */
static int read_given_manifest(struct source *source, struct store *store,
                               const struct store_bot *bot, char error[static SOURCE_ERROR_BYTES])
{
    char *given = NULL;
    int result;

    if (asprintf(&given, "%s.given", source->folder) < 0)
        return tell(error, bot, "out of memory", PACKAGE_FAILED);
    result = unpack(given, store, bot, bot->sha256, error);
    if (result == 0)
        result = source_read_manifest(&source->manifest, given, bot->name, error);
    tree_remove(given);
    free(given);
    return result;
}

/* The manifest as it was submitted, whatever its build left in the folder. */
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
    free(text);
    return result;
}

int staging_open_bot(struct source *source, struct store *store, const struct store_bot *bot,
                     const char *stage, int number, char error[static SOURCE_ERROR_BYTES])
{
    int result;

    *source = (struct source){0};
    if (asprintf(&source->folder, "%s/%d", stage, number) < 0) {
        source->folder = NULL;
        return tell(error, bot, "out of memory", PACKAGE_FAILED);
    }
    result = unpack(source->folder, store, bot, bot->built_sha256, error);
    if (result == 0)
        result = read_manifest(source, store, bot, error);
    if (result < 0) {
        source_close(source);
        return result;
    }
    memcpy(source->sha256, bot->sha256, sizeof source->sha256);
    return 0;
}

/* The bot has a seat and loses it before the first turn: no season ends for one bot. */
static int make_unfit(struct source *source, const struct store_bot *bot, const char *why)
{
    snprintf(source->manifest.name, sizeof source->manifest.name, "%s", bot->name);
    snprintf(source->manifest.version, sizeof source->manifest.version, "%s", bot->version);
    memcpy(source->sha256, bot->sha256, sizeof source->sha256);
    why = strstr(why, ": "); /* behind the bot, whom the forfeit names */
    source->unfit = strdup(why ? why + 2 : "it cannot be unpacked");
    return source->unfit ? 0 : PACKAGE_FAILED;
}

static int grow(struct staging *staging, int count)
{
    struct source **larger = realloc(staging->sources, (size_t)count * sizeof *larger);

    if (!larger)
        return -1;
    for (int i = staging->count; i < count; i++)
        larger[i] = NULL;
    staging->sources = larger;
    staging->count = count;
    return 0;
}

const struct source *staging_source(struct staging *staging, const struct roster *roster, int entry,
                                    char error[static SOURCE_ERROR_BYTES])
{
    const struct store_bot *bot = &roster->members[entry].bot;
    struct source *source;
    int result;

    if (entry < staging->count && staging->sources[entry])
        return staging->sources[entry];
    source = entry < staging->count || grow(staging, roster->count) == 0 ? calloc(1, sizeof *source)
                                                                         : NULL;
    if (!source) {
        tell(error, bot, "out of memory", PACKAGE_FAILED);
        return NULL;
    }
    result = staging_open_bot(source, staging->store, bot, staging->stage, entry, error);
    if (result == PACKAGE_REFUSED)
        result = make_unfit(source, bot, error);
    if (result < 0) {
        free(source);
        return NULL;
    }
    staging->sources[entry] = source;
    return source;
}
