#include "arena/season/staging.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena/store/archive.h"

int staging_init(struct staging *staging, struct store *store)
{
    *staging = (struct staging){.store = store, .stage = source_stage_create()};
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

static int refuse(char error[static SOURCE_ERROR_BYTES], const struct store_bot *bot,
                  const char *what)
{
    snprintf(error, SOURCE_ERROR_BYTES, "bot %s %s: %s", bot->name, bot->version, what);
    return -1;
}

/* Reads the manifest of an unpacked folder. */
static int read_manifest(struct source *source, const struct store_bot *bot,
                         char error[static SOURCE_ERROR_BYTES])
{
    static char text[MANIFEST_BYTES_MAX];
    char path[4096], what[MANIFEST_ERROR_BYTES];
    size_t size;
    FILE *file;

    snprintf(path, sizeof path, "%s/bot.json", source->folder);
    file = fopen(path, "re");
    if (!file)
        return refuse(error, bot, strerror(errno));
    size = fread(text, 1, sizeof text, file);
    fclose(file);
    return manifest_parse(&source->manifest, text, size, what) < 0 ? refuse(error, bot, what) : 0;
}

/* Unpacks to source->folder and sees that it is what was admitted. */
static int unpack(struct source *source, struct store *store, const struct store_bot *bot,
                  char error[static SOURCE_ERROR_BYTES])
{
    char hash[PACKAGE_HASH_CHARS + 1], unpack_error[ARCHIVE_ERROR_BYTES],
        copy_error[PACKAGE_ERROR_BYTES];
    uint8_t *bytes;
    size_t size;
    int result;

    if (store_package_read(store, bot->built_sha256, &bytes, &size) < 0)
        return refuse(error, bot, store_failure(store));
    result = archive_unpack(bytes, size, source->folder, unpack_error);
    free(bytes);
    if (result < 0)
        return refuse(error, bot, unpack_error);
    if (package_copy(source->folder, NULL, hash, copy_error) < 0)
        return refuse(error, bot, copy_error);
    if (strcmp(hash, bot->built_sha256) != 0)
        return refuse(error, bot, "its package in the store is damaged: the hash differs");
    return 0;
}

int staging_open_bot(struct source *source, struct store *store, const struct store_bot *bot,
                     const char *stage, int number, char error[static SOURCE_ERROR_BYTES])
{
    *source = (struct source){0};
    if (asprintf(&source->folder, "%s/%d", stage, number) < 0) {
        source->folder = NULL;
        return refuse(error, bot, "out of memory");
    }
    if (unpack(source, store, bot, error) < 0 || read_manifest(source, bot, error) < 0) {
        source_close(source);
        return -1;
    }
    memcpy(source->sha256, bot->sha256, sizeof source->sha256);
    return 0;
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

    if (entry < staging->count && staging->sources[entry])
        return staging->sources[entry];
    source = entry < staging->count || grow(staging, roster->count) == 0 ? calloc(1, sizeof *source)
                                                                         : NULL;
    if (!source) {
        refuse(error, bot, "out of memory");
        return NULL;
    }
    if (staging_open_bot(source, staging->store, bot, staging->stage, entry, error) < 0) {
        free(source);
        return NULL;
    }
    staging->sources[entry] = source;
    return source;
}
