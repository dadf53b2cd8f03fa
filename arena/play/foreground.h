/*
 * An event loop for a command that waits: for a run (matches, a season), or for one operation, such
 * as taking in or checking a bot. The loop runs until the owner ends it, and reports SIGINT and
 * SIGTERM. Only callers that may block may use it: code that runs on a loop never waits.
 */
#ifndef ARENA_PLAY_FOREGROUND_H
#define ARENA_PLAY_FOREGROUND_H

#include <ev.h>
#include <signal.h>
#include <stdbool.h>

/*
 * Stop requests: SIGINT or SIGTERM while the arena takes in, checks or inspects bots. The signals
 * are blocked and stay pending. Every wait for a bot ends at such a signal; the command then
 * removes what it created, and exits.
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
    ev_io stop; /* watches a signalfd */
    bool is_once, ended;
    sigset_t signals_before;
    void (*interrupt_fn)(void *owner); /* called on SIGINT and SIGTERM */
    void *owner;
};

/*
 * Creates a loop for a run: calls interrupt_fn at each signal. Returns 0; or -errno, and then there
 * is nothing to close.
 */
int foreground_open(struct foreground *foreground, void (*interrupt_fn)(void *owner), void *owner);

/*
 * Creates a loop for one operation: calls interrupt_fn at the first stop request, which
 * stays pending. Otherwise like foreground_open.
 */
int foreground_open_once(struct foreground *foreground, void (*interrupt_fn)(void *owner),
                         void *owner);

/* Runs the loop until foreground_end. */
void foreground_wait(struct foreground *foreground);

/* Ends foreground_wait. Called from the loop, or before foreground_wait. */
void foreground_end(struct foreground *foreground);

void foreground_close(struct foreground *foreground);

#endif
