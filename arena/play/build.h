/* SPDX-License-Identifier: MIT */
/*
 * Builds a bot's package: runs the manifest's build command in the sandbox, where compilers work
 * and only the bot's own folder is writable.
 */
#ifndef ARENA_PLAY_BUILD_H
#define ARENA_PLAY_BUILD_H

#include <stdbool.h>
#include <stddef.h>

#include "arena/play/package.h"

struct sandbox;

enum build_limits {
    BUILD_TIME_MS = 300 * 1000, /* default time limit of a build: five minutes */
    BUILD_WALL_TIMES = 6, /* a build may last so many times its limit, if it waits for processors */
    BUILD_PROCESSES = 256,
    BUILD_MEMORY_MIB = 2048,
    BUILD_SCRATCH_MIB = 256,    /* size of the build's /tmp, which is in memory */
    BUILD_SPACE_MIB = 2048,     /* default limit of the build's folder and /tmp together */
    BUILD_FILES_PER_MIB = 100,  /* limit of files, folders and links, per MiB of space */
    BUILD_PRINTED_MIB_MAX = 64, /* limit of the output, which a user may keep in a file */
    BUILD_OUTPUT_BYTES = 65536, /* size of the last part of the output, which the arena keeps */
    BUILD_WATCH_MS = 50, /* time between checks of a build's memory and of the disk's free space */
    BUILD_LOOK_MS = 250, /* minimum time between measurements of the disk space that a build uses */
};

/* A build to run. build_run borrows everything. */
struct build_order {
    const struct manifest *manifest; /* the manifest with the build command */
    const char *folder;              /* absolute path of the arena's copy of the package */
    struct sandbox *sandbox;
    int64_t space_bytes; /* limit of the folder and /tmp together; 0: BUILD_SPACE_MIB */
    /*
     * Time limit of the build without what it waits for a processor, where that is known; 0:
     * BUILD_TIME_MS. A build that has lasted wall_ms (0: BUILD_WALL_TIMES as long) is given up.
     */
    int64_t time_ms, wall_ms;
    void *owner;
    /* Called every second during the build, and once more at the end, with -1. May be NULL. */
    void (*progress_fn)(void *owner, const char *name, int elapsed_s);
    /* Receives the build's output as it arrives: untrusted bytes. May be NULL. */
    void (*output_fn)(void *owner, const char *bytes, size_t size);
};

/*
 * Runs a build to its end. Blocks; a stop request (foreground.h) ends the build. Returns 0 if the
 * build exited with status 0; PACKAGE_REFUSED if the build failed; PACKAGE_FAILED if the arena
 * could not run the build, or stopped it; PACKAGE_STARVED if it gave the build up. If the build did
 * not succeed, error says why in one line, and *output (unless output is NULL) is the last part of
 * its output, NUL-terminated, which the caller frees.
 */
int build_run(const struct build_order *order, char **output,
              char error[static MANIFEST_ERROR_BYTES]);

/*
 * Returns how much of passed_us counts against a build's limit. The build has used load_us of
 * processor time meanwhile, of all its processes together (negative: that is not known), and
 * is_ready tells that it computes or waits for a processor. Pure.
 */
int64_t build_charge_us(int64_t passed_us, int64_t load_us, bool is_ready);

enum build_excerpt_limits {
    BUILD_EXCERPT_LINES = 20,
};

/*
 * Returns the lines of a failed build's output that say why it failed: up to BUILD_EXCERPT_LINES
 * lines from the first line that reports an error, or else the last lines. The caller frees the
 * text; NULL if memory runs out. Pure.
 */
char *build_excerpt(const char *text);

/*
 * A cache of finished builds: a folder in the user's home, which several arenas may use at once.
 * The key of a build is everything that the build is made from: the package, the command and the
 * sandbox tier. If the cache fails, the arena builds again, without a message.
 */

enum build_cache_limits {
    BUILD_CACHE_COUNT_MAX = 64, /* number of builds; the least recently used are removed first */
    BUILD_CACHE_MIB_MAX = 4096, /* maximum size of all builds together, in MiB */
};

/* What a build is made from: the cache finds a build by these values. */
struct build_key {
    const char *package_sha256;
    const char *const *command; /* argv, ending with NULL */
    int tier;                   /* enum sandbox_tier */
};

/*
 * Copies the build with this key to target, which must not exist. Returns false, with nothing at
 * target, if the cache has no such build or somebody has changed it.
 */
bool build_cache_take(const char *cache, const struct build_key *key, const char *target);

/* Stores a copy of the folder under this key, then removes the builds that exceed the limits. */
void build_cache_keep(const char *cache, const struct build_key *key, const char *folder);

#endif
