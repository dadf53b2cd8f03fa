/*
 * The origin of a bot: a folder with a manifest (bot.json), or a plain executable. Checks it,
 * copies it to a folder of the arena, where its author can no longer change it, hashes exactly what
 * is copied, and builds it there if the manifest says so. Runs nothing except that build, which is
 * confined.
 */
#ifndef ARENA_PLAY_SOURCE_H
#define ARENA_PLAY_SOURCE_H

#include <stdbool.h>

#include "arena/play/package.h"

struct sandbox;

enum source_limits {
    SOURCE_ERROR_BYTES = 4096 + PACKAGE_ERROR_BYTES, /* room for one line that says what is wrong */
};

/* A bot that is ready to be started. */
struct source {
    struct manifest manifest;            /* its name is never "" */
    char *manifest_text;                 /* of bot.json as submitted; NULL: there is none */
    char sha256[PACKAGE_HASH_CHARS + 1]; /* of the package or the executable as submitted */
    char *folder;                        /* absolute path of the arena's copy */
    char *unfit;                         /* why it cannot be started; NULL: it can */
    int64_t memory_bytes;                /* its memory limit, 0: the sandbox's default */
    bool untimed;                        /* no clock: a person, who may take any time */
};

/* How to take in a bot. Everything is borrowed for the call. */
struct source_options {
    struct sandbox *sandbox;   /* the sandbox for its build */
    int64_t build_space_bytes; /* limit of its build's disk space; 0: BUILD_SPACE_MIB */
    int64_t build_wall_ms;     /* limit of its build's time; 0: BUILD_WALL_MS */
    const char *cache;         /* folder of the build cache (build.h); NULL: no cache */
    bool rebuild;              /* build even if the cache has the build */
    void *owner;
    /* Called every second while it is built, and at the end with -1. May be NULL. */
    void (*progress_fn)(void *owner, const char *name, int elapsed_s);
    /* Receives the output of its build as it arrives: untrusted bytes. May be NULL. */
    void (*output_fn)(void *owner, const char *bytes, size_t size);
    /* Set to the kept output of a failed build, which the caller frees. May be NULL. */
    char **printed;
};

/*
 * Takes in the bot at path, to stage/number; stage is a folder of the arena's. Returns 0, or
 * another package_result after writing one line to error that names the bot and the remedy; *source
 * is then zeroed. Blocks for the copy and the build; a stop request (stop.h) ends the build early.
 */
int source_open(struct source *source, const char *path, const char *stage, int number,
                const struct source_options *options, char error[static SOURCE_ERROR_BYTES]);

/*
 * Reads the manifest in folder. `called` is the folder's name in messages; a missing bot name is
 * derived from it. Returns 0, or another package_result after writing one line to error; *manifest
 * is then zeroed.
 */
int source_read_manifest(struct manifest *manifest, const char *folder, const char *called,
                         char error[static SOURCE_ERROR_BYTES]);

/* Frees what source holds and removes its copy. Accepts a zeroed source. */
void source_close(struct source *source);

/* A folder for the arena's copies of bots. */
struct stage {
    char *path;  /* absolute */
    int lock_fd; /* holds the folder's lock: other arenas remove folders that nobody holds */
};

/*
 * Creates a folder in $TMPDIR or /tmp that only the arena may enter (0700). If the arena runs as
 * root and bots have no root of their own (the lite tier), its mode is 0711, because bots must pass
 * through it. First removes the folders of arenas that were killed. sandbox is the one that will
 * run the bots, or NULL. Returns NULL with errno set on failure.
 */
struct stage *stage_create(const struct sandbox *sandbox);

/* Removes the folder and its contents, and frees the stage. Accepts NULL. */
void stage_destroy(struct stage *stage);

#endif
