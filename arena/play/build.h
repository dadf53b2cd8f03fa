/*
 * Builds a bot's package: runs the manifest's build in the sandbox, where compilers
 * work, the bot's own folder can be written and nothing else can.
 *
 * A build is a state machine on the loop that it is given; it blocks nowhere:
 *
 *     start -> RUNNING -(limit, stop)-> KILLED -> over: done_fn
 */
#ifndef ARENA_PLAY_BUILD_H
#define ARENA_PLAY_BUILD_H

#include <ev.h>

#include "arena/play/manifest.h"
#include "arena/play/package.h"

struct sandbox;
struct build;

enum build_limits {
    BUILD_WALL_MS = 300 * 1000, /* a build takes at most five minutes, unless told otherwise */
    BUILD_CPU_S = 600,          /* and this much processor time */
    BUILD_PROCESSES = 256,
    BUILD_MEMORY_MIB = 2048,
    BUILD_SCRATCH_MIB = 256,    /* of its /tmp, which is memory */
    BUILD_SPACE_MIB = 2048,     /* of its folder and /tmp together, unless another is asked for */
    BUILD_FILES_PER_MIB = 100,  /* of that: files, folders and links */
    BUILD_OUTPUT_BYTES = 65536, /* kept of what it prints: the last part */
    BUILD_LOOK_MS = 250,        /* between looks at the room it takes, at least */
};

/* What is built, and who hears of it. All is borrowed until done_fn. */
struct build_order {
    const struct manifest *manifest; /* its build is run */
    const char *folder;              /* absolute: the arena's copy */
    struct sandbox *sandbox;
    int64_t space_bytes; /* that its folder and /tmp may take; 0: BUILD_SPACE_MIB */
    int64_t wall_ms;     /* that it may take; 0: BUILD_WALL_MS */
    void *owner;
    /* Every second while it runs, and by build_run at its end with -1. May be NULL. */
    void (*progress_fn)(void *owner, const char *name, int elapsed_s);
    /* What it prints, as it comes: bytes of a stranger. May be NULL. */
    void (*output_fn)(void *owner, const char *bytes, size_t size);
    /* It is over, and no process of it lives: read it, then build_destroy. */
    void (*done_fn)(void *owner, struct build *build);
};

/*
 * Starts a build on loop. Returns 0 and *build, for build_destroy; or PACKAGE_FAILED with one
 * line in error if the arena could not: done_fn is not called then.
 */
int build_start(struct build **build, struct ev_loop *loop, const struct build_order *order,
                char error[static MANIFEST_ERROR_BYTES]);

/* Ends it, as failed; done_fn follows. */
void build_stop(struct build *build);

/*
 * How it ended, once it is over: 0 if it exited with 0; else PACKAGE_REFUSED after writing one
 * line to error: how it ended, the last line that it printed, and the file where all of that is
 * kept (build_log.h); PACKAGE_FAILED if the arena could not run it or it was stopped.
 */
int build_result(const struct build *build, char error[static MANIFEST_ERROR_BYTES]);

/* All that is kept of what it printed; the build's own. */
const char *build_output(const struct build *build, size_t *size);

/* Kills it and waits for its end, if it still runs. Takes NULL. */
void build_destroy(struct build *build);

/*
 * Runs a build to its end on a loop of its own; done_fn is not called. Blocks; a stop that is
 * asked for (stop.h) ends it. Returns as build_result; If it failed, *output, if not
 * NULL, is what it printed, NUL ended, for the caller to free.
 */
int build_run(const struct build_order *order, char **output,
              char error[static MANIFEST_ERROR_BYTES]);

#endif
