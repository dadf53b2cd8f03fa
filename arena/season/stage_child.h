/*
 * The process that unpacks one bot for a running season: `arena unpack STORE BOT STAGE NUMBER
 * PARENT`, for the arena's own use. It tells by its exit status and on standard output: the bot's
 * manifest, or one line that says what is wrong.
 */
#ifndef ARENA_SEASON_STAGE_CHILD_H
#define ARENA_SEASON_STAGE_CHILD_H

#include <stdint.h>

#include "arena/play/manifest.h"
#include "arena/play/subprocess.h"

enum stage_child_limits {
    STAGE_CHILD_OUTPUT_BYTES = MANIFEST_BYTES_MAX + 1,
    STAGE_CHILD_ARGUMENTS = 4, /* behind the command's name */
};

/* Its exit status. */
enum stage_child_status {
    STAGE_CHILD_DONE = 0,
    STAGE_CHILD_FAILED = 1,  /* the arena could not */
    STAGE_CHILD_REFUSED = 2, /* the bot's package or manifest is at fault */
};

/* The arena's side. A zeroed one is none. */
struct stage_child {
    struct subprocess process; /* its text: what it wrote so far */
    void *owner;
    /* It has ended and is reaped. */
    void (*ended_fn)(struct stage_child *child, int status);
};

/*
 * Starts it, by the thread of errands; owner and ended_fn are set beforehand. It is killed after
 * limit_s. Returns 0 or -errno, then it is none again.
 */
int stage_child_start(struct stage_child *child, struct ev_loop *loop, struct errands *errands,
                      const char *program, const char *url, int64_t bot_id, const char *stage,
                      int number, int limit_s);

/* Kills and reaps it, if it is there, and frees its text. Takes a zeroed one. */
void stage_child_finish(struct stage_child *child);

/* The process's side: does what its arguments say. Returns its exit status. */
int stage_child_run(char **arguments);

#endif
