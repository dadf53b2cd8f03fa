/* SPDX-License-Identifier: MIT */
/*
 * An event loop for a command that waits, for a run (matches, a season) or for one operation, such
 * as taking in a bot. The loop runs until its owner ends it, and reports SIGINT and SIGTERM. Code
 * that already runs on another loop must not use it, because it blocks.
 */
#ifndef ARENA_PLAY_FOREGROUND_H
#define ARENA_PLAY_FOREGROUND_H

#include <ev.h>
#include <signal.h>
#include <stdbool.h>

#include "arena/play/watch.h"

/*
 * Stop requests: SIGINT or SIGTERM while the arena takes in, checks or inspects bots. The arena
 * blocks the signals, so that they stay pending. Every wait for a bot ends at such a signal; the
 * command then removes what it created, and exits.
 */

/* Blocks SIGINT and SIGTERM from now on, unless they are ignored. */
void stop_hold(void);

/* Sets *signals to SIGINT and SIGTERM. */
void stop_signals(sigset_t *signals);

/* True if SIGINT or SIGTERM arrived since stop_hold. Always false before stop_hold. */
bool stop_is_asked(void);

/*
 * Returns a descriptor that is readable while SIGINT or SIGTERM is pending, or -errno. The caller
 * closes the descriptor.
 */
int stop_open(void);

struct foreground {
    struct ev_loop *loop;
    struct watch stop; /* watches a signalfd */
    bool is_once, ended;
    sigset_t signals_before;
    void (*interrupt_fn)(void *owner); /* called on SIGINT and SIGTERM */
    void *owner;
};

/*
 * Creates a loop that calls interrupt_fn at each SIGINT and SIGTERM. Returns 0; or -errno, and then
 * there is nothing to close.
 */
int foreground_open(struct foreground *foreground, void (*interrupt_fn)(void *owner), void *owner);

/*
 * Creates a loop that calls interrupt_fn at the first SIGINT or SIGTERM, which stays pending.
 * Otherwise like foreground_open.
 */
int foreground_open_once(struct foreground *foreground, void (*interrupt_fn)(void *owner),
                         void *owner);

/* Runs the loop until foreground_end. */
void foreground_wait(struct foreground *foreground);

/* Ends foreground_wait. Called from the loop, or before foreground_wait. */
void foreground_end(struct foreground *foreground);

void foreground_close(struct foreground *foreground);

#endif
