/*
 * Where a bot comes from: a folder with a manifest (bot.json), or a plain
 * executable. Checks it, copies it to a folder of the arena's own that its author
 * cannot change any more, hashes exactly what is copied, and builds it there if the
 * manifest says so. Runs nothing but that build, which is confined.
 */
#ifndef ARENA_PLAY_SOURCE_H
#define ARENA_PLAY_SOURCE_H

#include <stdbool.h>

#include "arena/play/manifest.h"
#include "arena/play/package.h"

struct sandbox;

enum source_limits {
    SOURCE_ERROR_BYTES = 4096 + PACKAGE_ERROR_BYTES, /* of one line that says what is wrong */
};

/* A bot that is ready to be started. */
struct source {
    struct manifest manifest;            /* its name is never "" */
    char *manifest_text;                 /* of bot.json as it was given; NULL: it has none */
    char sha256[PACKAGE_HASH_CHARS + 1]; /* of the package as it was given, or of the executable */
    char *folder;                        /* absolute: the arena's copy */
    char *unfit;                         /* why it cannot be started; NULL: it can */
    int64_t memory_bytes;                /* that it may use, 0: the sandbox's default */
    bool untimed;                        /* no clock: a person, and as long as it takes */
};

/* How a bot is taken in. All is borrowed for the call. */
struct source_options {
    struct sandbox *sandbox;   /* for its build */
    int64_t build_space_bytes; /* that its build may take; 0: build.h's */
    int64_t build_wall_ms;     /* likewise */
    const char *cache;         /* a folder for builds (build_cache.h); NULL: none are kept */
    bool rebuild;              /* also where the cache has it */
    void *owner;
    /* Every second while it is built, and at the end with -1. May be NULL. */
    void (*progress_fn)(void *owner, const char *name, int elapsed_s);
    /* What its build prints, as it comes: bytes of a stranger. May be NULL. */
    void (*output_fn)(void *owner, const char *bytes, size_t size);
    /* Set to all that is kept of what a failed build printed, for the caller to free. May be NULL.
     */
    char **printed;
};

/*
 * Takes in the bot at path, to stage/number, where stage is a folder that the arena
 * owns. Returns 0, or another package_result after writing one line to error that names the
 * bot and says what to do; *source is then zeroed. Blocks for the copy and the build, which ends
 * early when a stop is asked for (stop.h).
 */
int source_open(struct source *source, const char *path, const char *stage, int number,
                const struct source_options *options, char error[static SOURCE_ERROR_BYTES]);

/*
 * Reads the manifest in folder, which messages call by `called`; a missing name becomes the
 * folder's. Returns 0, or another package_result after writing one line to error; *manifest is
 * then zeroed.
 */
int source_read_manifest(struct manifest *manifest, const char *folder, const char *called,
                         char error[static SOURCE_ERROR_BYTES]);

/* Frees what source holds and removes its copy. Takes a zeroed one. */
void source_close(struct source *source);

/*
 * A folder for copies, below $TMPDIR or /tmp, which nobody else enters (0700). Where bots of a
 * root arena have no root of their own (the lite tier) they must pass it: 0711 then. Copies of
 * arenas that were killed are removed first, and old logs of builds. Returns its absolute path,
 * which the caller frees, or NULL with errno set. sandbox: that runs the bots, or NULL.
 */
char *source_stage_create(const struct sandbox *sandbox);

/* Removes the folder and all in it, and frees its path. Takes NULL. */
void source_stage_destroy(char *stage);

#endif
