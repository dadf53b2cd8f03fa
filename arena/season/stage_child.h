/*
 * The process that unpacks one bot for a running season: `arena unpack STORE BOT STAGE NUMBER
 * PARENT`, for internal use. It reports by its exit status and on standard output: the bot's
 * manifest, or one line that says what is wrong.
 */
#ifndef ARENA_SEASON_STAGE_CHILD_H
#define ARENA_SEASON_STAGE_CHILD_H

#include <stdint.h>

#include "arena/play/package.h"
#include "arena/play/subprocess.h"

enum stage_child_limits {
    STAGE_CHILD_OUTPUT_BYTES = MANIFEST_BYTES_MAX + 1,
    STAGE_CHILD_ARGUMENTS = 4, /* number of arguments after the command's name */
};

/* How it ended: its exit status, or none. */
enum stage_child_status {
    STAGE_CHILD_NO_ROOM = -1, /* no exit status: it was killed, or had no room to start */
    STAGE_CHILD_DONE = 0,
    STAGE_CHILD_FAILED = 1,  /* the arena failed */
    STAGE_CHILD_REFUSED = 2, /* the bot's package or manifest is at fault */
};

/* The arena's side. Zeroed: no process. */
struct stage_child {
    struct subprocess process; /* its text is the output so far */
    int error;                 /* after STAGE_CHILD_NO_ROOM: -errno, or 0 if it was killed */
    void *owner;
    /* The process has ended and is reaped. */
    void (*ended_fn)(struct stage_child *child, int status);
};

/*
 * Starts the process, on the thread of errands. Set owner and ended_fn first. The process is killed
 * after limit_s. Returns 0 or -errno; after a failure *child is as before.
 */
int stage_child_start(struct stage_child *child, struct ev_loop *loop, struct mailbox *errands,
                      const char *program, const char *url, int64_t bot_id, const char *stage,
                      int number, int limit_s);

/*
 * Kills and reaps the child process, if there is one, and frees its text. Accepts a zeroed struct.
 */
void stage_child_finish(struct stage_child *child);

/* The new process's side: does what its arguments say. Returns its exit status. */
int stage_child_run(char **arguments);

#endif
