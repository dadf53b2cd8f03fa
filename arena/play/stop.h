/*
 * Stop requests: SIGINT or SIGTERM while bots are taken in, checked or inspected. The signals are
 * blocked and stay pending; every wait for a bot notices them and ends, and the command then
 * removes what it created and exits. A runner handles the signals itself while it runs.
 */
#ifndef ARENA_PLAY_STOP_H
#define ARENA_PLAY_STOP_H

#include <ev.h>
#include <signal.h>
#include <stdbool.h>

/* Blocks these signals from now on, except those that are ignored. */
void stop_hold(void);

/* True if a signal arrived since stop_hold. Always false before stop_hold. */
bool stop_is_asked(void);

/* Unblocks the signals for a runner, which has handlers for them. Sets *before. */
void stop_hand_over(sigset_t *before);

/* Restores the signal mask. Call while the handlers are still installed. */
void stop_take_back(const sigset_t *before);

/*
 * Returns a descriptor that is readable once a signal has arrived, which the caller closes, or
 * -errno.
 */
int stop_open(void);

/*
 * An event loop for a single operation that the caller waits for, such as taking in or checking a
 * bot. It runs until the operation ends and reports a stop request (stop.h); the signal stays
 * pending. Only for callers that may block: code that runs on a loop never waits.
 */

struct await {
    struct ev_loop *loop;
    ev_io stop;
    bool ended;
    void (*stop_fn)(void *owner); /* called once when a stop is requested */
    void *owner;
};

/* Creates the loop. Returns 0, or -errno, and then there is nothing to close. */
int await_open(struct await *await, void (*stop_fn)(void *owner), void *owner);

/* Runs the loop until await_end. */
void await_run(struct await *await);

/* Ends await_run. Called from the loop, or before it runs. */
void await_end(struct await *await);

void await_close(struct await *await);

#endif
