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

#include "arena/play/manifest.h"
#include "arena/play/package.h"

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
 * failed; error then has one line with how it ended, the last line of its output, and the file that
 * keeps the output (build_log.h). PACKAGE_FAILED if the arena could not run it or it was stopped.
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

#endif
