/*
 * Builds a bot's package: runs the manifest's build in the sandbox, where compilers
 * work, the bot's own folder can be written and nothing else can.
 */
#ifndef ARENA_PLAY_BUILD_H
#define ARENA_PLAY_BUILD_H

#include "arena/play/manifest.h"
#include "arena/play/package.h"

struct sandbox;

enum build_limits {
    BUILD_WALL_MS = 300 * 1000, /* a build takes at most five minutes */
    BUILD_CPU_S = 600,          /* and this much processor time */
    BUILD_PROCESSES = 256,
    BUILD_OUTPUT_BYTES = 65536, /* kept of what it prints: the last part */
};

/*
 * Runs manifest->build in folder (absolute, the arena's copy) and waits for its end.
 * Returns 0 if it exited with 0; else PACKAGE_REFUSED after writing one line to error: how it
 * ended, the last line that it printed, and the file where all of that is kept
 * (build_log.h); PACKAGE_FAILED if the arena could not run it or was stopped.
 */
int build_run(const struct manifest *manifest, const char *folder, struct sandbox *sandbox,
              char error[static MANIFEST_ERROR_BYTES]);

#endif
