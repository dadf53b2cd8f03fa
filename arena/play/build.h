/*
 * Builds a bot's package: runs the manifest's build command in the sandbox, where compilers work
 * and only the bot's own folder is writable.
 *
 * A build is a state machine on the caller's loop, which nothing else may need: its start, the
 * looks at its folder and its end block, for up to seconds. The arena runs each in a process of its
 * own.
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
    BUILD_CPU_S = 600,          /* processor seconds */
    BUILD_PROCESSES = 256,
    BUILD_MEMORY_MIB = 2048,
    BUILD_SCRATCH_MIB = 256,    /* size of its /tmp, which is in memory */
    BUILD_SPACE_MIB = 2048,     /* default limit of its folder and /tmp together */
    BUILD_FILES_PER_MIB = 100,  /* limit of files, folders and links, per MiB of the space limit */
    BUILD_OUTPUT_BYTES = 65536, /* kept of its output: the last part */
    BUILD_LOOK_MS = 250,        /* minimum time between checks of its disk use */
};

/* What to build, and whom to notify. Everything is borrowed until done_fn. */
struct build_order {
    const struct manifest *manifest; /* its build command is run */
    const char *folder;              /* absolute path of the arena's copy */
    struct sandbox *sandbox;
    int64_t space_bytes; /* limit of its folder and /tmp together; 0: BUILD_SPACE_MIB */
    int64_t wall_ms;     /* time limit; 0: BUILD_WALL_MS */
    void *owner;
    /*
     * Called every second while it runs; build_run also calls it at the end with -1. May be NULL.
     */
    void (*progress_fn)(void *owner, const char *name, int elapsed_s);
    /* Receives its output as it arrives: untrusted bytes. May be NULL. */
    void (*output_fn)(void *owner, const char *bytes, size_t size);
    /*
     * The build has ended and none of its processes lives. Read the result, then call
     * build_destroy.
     */
    void (*done_fn)(void *owner, struct build *build);
};

/*
 * Starts a build on loop. Returns 0 and sets *build, which the caller frees with build_destroy.
 * Returns PACKAGE_FAILED, with one line in error, if the arena could not start it; done_fn is then
 * not called.
 */
int build_start(struct build **build, struct ev_loop *loop, const struct build_order *order,
                char error[static MANIFEST_ERROR_BYTES]);

/* Ends the build as failed; done_fn follows. */
void build_stop(struct build *build);

/*
 * Returns the result of a build that has ended: 0 if it exited with status 0. PACKAGE_REFUSED if it
 * failed; error then has one line with how it ended and the last line of its output. PACKAGE_FAILED
 * if the arena could not run it or it was stopped.
 */
int build_result(const struct build *build, char error[static MANIFEST_ERROR_BYTES]);

/* Returns the kept part of its output; owned by the build. */
const char *build_output(const struct build *build, size_t *size);

/* Kills the build and waits for its end if it still runs. Accepts NULL. */
void build_destroy(struct build *build);

/*
 * Runs a build to its end on a loop of its own; done_fn is not called. Blocks; a stop request
 * (stop.h) ends it. Returns the same as build_result. If the build failed and output is not NULL,
 * *output is what it printed, NUL-terminated, which the caller frees.
 */
int build_run(const struct build_order *order, char **output,
              char error[static MANIFEST_ERROR_BYTES]);

/*
 * Selects the lines of a failed build's output that say why it failed: those that report an error,
 * or else the last ones. Pure.
 */

enum build_excerpt_limits {
    BUILD_EXCERPT_LINES = 20,
};

/*
 * Returns a string of whole lines, which the caller frees; "" if nothing was printed; NULL if
 * memory runs out.
 */
char *build_excerpt(const char *text, size_t size);

/*
 * A cache of finished builds, keyed by their inputs: the package, the command and the sandbox tier.
 * It is a folder in the user's home; several arenas may use it at once. Its failures are not
 * reported: a build that cannot be kept or is damaged is simply built again.
 */

enum build_cache_limits {
    BUILD_CACHE_COUNT_MAX = 64, /* builds; the least recently used is removed first */
    BUILD_CACHE_MIB_MAX = 4096, /* total size of all builds */
};

/* The inputs of a build. */
struct build_key {
    const char *package_sha256;
    const char *const *command; /* argv, NULL ended */
    int tier;                   /* enum sandbox_tier */
};

/*
 * Copies the build of that key to target, which must not exist, with plain modes. Returns false,
 * with nothing at target, if there is no such build or it was changed since it was kept.
 */
bool build_cache_take(const char *cache, const struct build_key *key, const char *target);

/* Keeps a copy of the folder under that key, then removes builds beyond the limits. */
void build_cache_keep(const char *cache, const struct build_key *key, const char *folder);

/* The space that a build uses: in its folder, in its /tmp and on the disk. */
struct build_room {
    const char *folder;      /* borrowed from the caller */
    struct tree_size enough; /* limit of that folder and /tmp together */
    int64_t free_bytes;      /* free on the disk when it started */
};

enum build_room_fault {
    BUILD_ROOM_FITS = 0,
    BUILD_ROOM_TOO_LARGE = 1, /* over the limit of bytes */
    BUILD_ROOM_TOO_MANY = 2,  /* over the limit of files */
    BUILD_ROOM_TOO_DEEP = 3,  /* folders nested too deep */
};

/* space_bytes 0: BUILD_SPACE_MIB. */
void build_room_begin(struct build_room *room, const char *folder, int64_t space_bytes);

/*
 * Measures the build's space; pid is its first process, 0 once all are dead. A file that was
 * deleted while open is in no folder, but still uses the disk: if the disk is almost full and has
 * lost more free space than the build may use, the build counts as too large.
 */
enum build_room_fault build_room_look(const struct build_room *room, pid_t pid);

#endif
