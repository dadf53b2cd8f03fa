/*
 * A command's own event loop, for a run that it waits for: the loop ends when the run does, and
 * SIGINT and SIGTERM interrupt the run. For commands only; what runs on a loop never waits.
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
    void (*interrupt_fn)(void *owner); /* a signal came */
    void *owner;
};

/* Makes the loop. Returns 0, or -ENOMEM: then there is nothing to close. */
int foreground_open(struct foreground *foreground, void (*interrupt_fn)(void *owner), void *owner);

/* Runs the loop until foreground_end. A run is under way on it. */
void foreground_wait(struct foreground *foreground);

/* Called from the loop: the run has ended. */
void foreground_end(struct foreground *foreground);

void foreground_close(struct foreground *foreground);

/*
 * Plays all games of a runner. Returns 0, or -1 when the arena failed: *failure says why. On
 * SIGINT or SIGTERM games under way are played to their end and no new one begins; on a second
 * one they end without a result. runner_was_stopped then tells. One that was held back before
 * (stop.h) begins no game at all.
 */
int foreground_play(struct runner *runner, struct sandbox_failure *failure);

#endif
