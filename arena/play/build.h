/*
 * Builds a bot's package: runs the manifest's build command in the sandbox, where compilers work
 * and only the bot's own folder is writable.
 *
 * A build is a state machine on the caller's loop. Nothing else should use that loop: starting a
 * build, measuring its folder and ending it block for up to seconds. The arena runs each build in a
 * process of its own.
 *
 *   start -> RUNNING -(limit, stop)-> KILLED -> over: done_fn
 */
#ifndef ARENA_PLAY_BUILD_H
#define ARENA_PLAY_BUILD_H

#include <ev.h>
#include <sys/types.h>
#include <stdbool.h>
#include <stddef.h>

#include "arena/play/package.h"
#include "arena/play/tree.h"

struct sandbox;
struct build;

enum build_limits {
    BUILD_WALL_MS = 300 * 1000, /* default time limit of a build: five minutes */
    BUILD_CPU_S = 600,          /* limit of processor time, in seconds */
    BUILD_PROCESSES = 256,
    BUILD_MEMORY_MIB = 2048,
    BUILD_SCRATCH_MIB = 256,    /* size of the build's /tmp, which is in memory */
    BUILD_SPACE_MIB = 2048,     /* default limit of the build's folder and /tmp together */
    BUILD_FILES_PER_MIB = 100,  /* limit of files, folders and links, per MiB of space */
    BUILD_OUTPUT_BYTES = 65536, /* size of the last part of the output, which is kept */
    BUILD_LOOK_MS = 250,        /* minimum time between measurements of the build's space */
};

/* What to build, and whom to notify. Everything is borrowed until done_fn is called. */
struct build_order {
    const struct manifest *manifest; /* the manifest with the build command */
    const char *folder;              /* absolute path of the arena's copy of the package */
    struct sandbox *sandbox;
    int64_t space_bytes; /* limit of the folder and /tmp together; 0: BUILD_SPACE_MIB */
    int64_t wall_ms;     /* time limit; 0: BUILD_WALL_MS */
    void *owner;
    /*
     * Called every second during the build; build_run calls it once more at the end, with -1. May
     * be NULL.
     */
    void (*progress_fn)(void *owner, const char *name, int elapsed_s);
    /* Receives the build's output as it arrives: untrusted bytes. May be NULL. */
    void (*output_fn)(void *owner, const char *bytes, size_t size);
    /*
     * Called when the build and all its processes have ended. The owner reads the result, then
     * calls build_destroy. May be NULL.
     */
    void (*done_fn)(void *owner, struct build *build);
};

/*
 * Starts a build on loop. Returns 0 and sets *build, which the caller frees with build_destroy. Or
 * returns PACKAGE_FAILED, with one line in error, if the arena could not start the build; done_fn
 * is then not called.
 */
int build_start(struct build **build, struct ev_loop *loop, const struct build_order *order,
                char error[static MANIFEST_ERROR_BYTES]);

/* Ends the build as failed. Calls done_fn once the build is dead. */
void build_stop(struct build *build);

/*
 * Returns the result of a build that has ended: 0 if the build exited with status 0.
 * PACKAGE_REFUSED if it failed; error then says in one line how it ended, with the last line of its
 * output. PACKAGE_FAILED if the arena could not run the build, or stopped it.
 */
int build_result(const struct build *build, char error[static MANIFEST_ERROR_BYTES]);

/* Returns the kept part of the build's output, *size bytes; owned by the build. */
const char *build_output(const struct build *build, size_t *size);

/* Frees the build. If it still runs, kills it and waits for its end. Accepts NULL. */
void build_destroy(struct build *build);

/*
 * Runs a build to its end on a loop of its own, without calling done_fn. Blocks; a stop request
 * (stop.h) ends the build. Returns the same as build_result. If the build failed and output is not
 * NULL, sets *output to what the build printed, NUL-terminated, which the caller frees.
 */
int build_run(const struct build_order *order, char **output,
              char error[static MANIFEST_ERROR_BYTES]);

/*
 * An excerpt has the lines of a failed build's output that say why it failed: lines that report an
 * error, or else the last lines. Pure.
 */

enum build_excerpt_limits {
    BUILD_EXCERPT_LINES = 20,
};

/*
 * Returns an excerpt of whole lines, which the caller frees; "" if the build printed nothing; NULL
 * if memory runs out.
 */
char *build_excerpt(const char *text, size_t size);

/*
 * A cache of finished builds, keyed by what a build is made from: the package, the command and the
 * sandbox tier. The cache is a folder in the user's home; several arenas may use it at once. Its
 * failures are not reported: the arena simply builds again what the cache could not keep, or what
 * is damaged.
 */

enum build_cache_limits {
    BUILD_CACHE_COUNT_MAX = 64, /* number of builds; the least recently used are removed first */
    BUILD_CACHE_MIB_MAX = 4096, /* maximum size of all builds together, in MiB */
};

/* What a build is made from. */
struct build_key {
    const char *package_sha256;
    const char *const *command; /* argv, ending with NULL */
    int tier;                   /* enum sandbox_tier */
};

/*
 * Copies the build with this key to target, which must not exist, and sets plain modes. Returns
 * false, with nothing at target, if the cache has no such build or somebody changed it.
 */
bool build_cache_take(const char *cache, const struct build_key *key, const char *target);

/* Keeps a copy of the folder under this key, then removes builds that exceed the limits. */
void build_cache_keep(const char *cache, const struct build_key *key, const char *folder);

/* The space that a build uses: in its folder, in its /tmp and on the disk. */
struct build_room {
    const char *folder;      /* folder of the build; borrowed */
    struct tree_size enough; /* limit of the folder and /tmp together */
    int64_t free_bytes;      /* free space on the disk when the build started, in bytes */
};

enum build_room_fault {
    BUILD_ROOM_FITS = 0,
    BUILD_ROOM_TOO_LARGE = 1, /* too many bytes */
    BUILD_ROOM_TOO_MANY = 2,  /* too many files */
    BUILD_ROOM_TOO_DEEP = 3,  /* folders nested too deep */
};

/* Prepares to measure the build in folder. space_bytes is its limit; 0: BUILD_SPACE_MIB. */
void build_room_begin(struct build_room *room, const char *folder, int64_t space_bytes);

/*
 * Measures the build's space; pid is its first process, 0 once all processes are dead. A file that
 * was deleted while open is in no folder, but still uses the disk. So the build also counts as too
 * large if the disk is almost full and its free space has shrunk by more than the build's limit.
 */
enum build_room_fault build_room_look(const struct build_room *room, pid_t pid);

#endif
