/* SPDX-License-Identifier: MIT */
/*
 * Takes in a bot from where its author put it: a folder with a manifest (bot.json), or a plain
 * executable. Checks the bot, copies it to a folder of the arena, where its author can no longer
 * change it, hashes exactly what it copies, and builds the copy if the manifest names a build.
 * Executes nothing but that build, in the sandbox.
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
    struct manifest manifest;            /* the manifest; its name is never "" */
    char *manifest_text;                 /* bot.json as submitted; NULL: there is none */
    char sha256[PACKAGE_HASH_CHARS + 1]; /* hash of the package or the executable as submitted */
    char *folder;                        /* absolute path of the arena's copy */
    int64_t memory_bytes;                /* memory limit of the bot, 0: the sandbox's default */
    bool is_person; /* a person plays; there is no program, and only manifest.name is set */
};

/* How to take in a bot. Everything is borrowed during source_open. */
struct source_options {
    struct sandbox *sandbox;   /* the sandbox in which the bot is built */
    int64_t build_space_bytes; /* limit of the build's disk space; 0: BUILD_SPACE_MIB */
    int64_t build_time_ms;     /* limit of the build's time; 0: BUILD_TIME_MS */
    const char *cache;         /* folder of the build cache (build.h); NULL: no cache */
    bool rebuild;              /* build even if the cache has the build */
    void *owner;
    /* Called every second during the build, and at the end with -1. May be NULL. */
    void (*progress_fn)(void *owner, const char *name, int elapsed_s);
    /* Receives the build's output as it arrives: untrusted bytes. May be NULL. */
    void (*output_fn)(void *owner, const char *bytes, size_t size);
    /*
     * If the build fails, *printed is the last part of its output, which the caller frees. May be
     * NULL.
     */
    char **printed;
};

/*
 * Takes in the bot at path: copies it to stage/number, where stage is the arena's temporary folder.
 * Returns 0, or another package_result after writing one line to error that names the bot and the
 * remedy; *source is then zeroed. Blocks during the copy and the build; a stop request
 * (foreground.h) ends the build early.
 */
int source_open(struct source *source, const char *path, const char *stage, int number,
                const struct source_options *options, char error[static SOURCE_ERROR_BYTES]);

/*
 * Reads the manifest in folder. Error messages call the folder `called`; a bot without a name gets
 * the folder's name. *text is the text of bot.json, which the caller frees; text may be NULL.
 * Returns 0, or another package_result after writing one line to error; *manifest is then zeroed.
 */
int source_read_manifest(struct manifest *manifest, const char *folder, const char *called,
                         char **text, char error[static SOURCE_ERROR_BYTES]);

/*
 * Returns the key of the manifest for which this machine's sandbox is too weak: "build", if the
 * bot is still to be built, or "processes"; NULL if there is none. sandbox may be NULL.
 */
const char *source_lacks_tier(const struct manifest *manifest, const struct sandbox *sandbox,
                              bool is_built);

/* What follows the key. */
#define SOURCE_LACKS_TIER "requires the full tier of the sandbox, which this machine lacks"

/*
 * True if the bot has a program or a build of its own, but its copy is on a file system that runs
 * no programs, which is the organizer's fault.
 */
bool source_cannot_run(const struct source *source);

#define SOURCE_CANNOT_RUN                                                                          \
    "the folder of the bots' copies is mounted noexec: set TMPDIR to another folder"

/* Removes the bot's copy and frees the content of source. Accepts a zeroed source. */
void source_close(struct source *source);

/* The temporary folder in which one arena keeps its copies of bots. */
struct stage {
    char *path;  /* absolute path */
    int lock_fd; /* descriptor of the folder, locked, because other arenas remove unlocked folders
                  */
};

/*
 * Creates the arena's temporary folder in $TMPDIR or /tmp, with mode 0700, or 0711 if bots run
 * under other UIDs and must pass through the folder. First removes the folders of arenas that were
 * killed. sandbox will run the bots; it may be NULL. Returns NULL with errno set on failure.
 */
struct stage *stage_create(const struct sandbox *sandbox);

/* Removes the temporary folder and its contents, and frees the struct. Accepts NULL. */
void stage_destroy(struct stage *stage);

#endif
