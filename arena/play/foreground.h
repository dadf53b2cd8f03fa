/*
 * An event loop for a command that waits for a run: the loop ends when the run ends, and SIGINT and
 * SIGTERM interrupt the run. Only commands may use it: code that runs on a loop never waits.
 */
#ifndef ARENA_PLAY_FOREGROUND_H
#define ARENA_PLAY_FOREGROUND_H

#include <ev.h>
#include <signal.h>

#include "arena/play/runner.h"

struct foreground {
    struct ev_loop *loop;
    ev_signal interrupt, terminate;
    sigset_t signals_before;
    void (*interrupt_fn)(void *owner); /* called on SIGINT and SIGTERM */
    void *owner;
};

/* Creates the loop. Returns 0; or -ENOMEM, and then there is nothing to close. */
int foreground_open(struct foreground *foreground, void (*interrupt_fn)(void *owner), void *owner);

/* Runs the loop until foreground_end. The caller must have started a run on the loop. */
void foreground_wait(struct foreground *foreground);

/* Ends foreground_wait. Called from the loop when the run has ended. */
void foreground_end(struct foreground *foreground);

void foreground_close(struct foreground *foreground);

/*
 * Plays all games of a runner. Returns 0, or -1 if the arena failed, with the cause in *failure. At
 * the first SIGINT or SIGTERM no new game begins and running games are played to their end; at the
 * second, running games end without a result. runner_was_stopped then returns true. If a stop was
 * requested before (stop.h), no game begins.
 */
int foreground_play(struct runner *runner, struct sandbox_failure *failure);

#endif
