/*
 * Stop requests: SIGINT or SIGTERM while the arena takes in, checks or inspects bots. The signals
 * are blocked and stay pending. Every wait for a bot notices them and ends; the command then
 * removes what it created, and exits. A runner handles the signals itself while it runs.
 */
#ifndef ARENA_PLAY_STOP_H
#define ARENA_PLAY_STOP_H

#include <ev.h>
#include <signal.h>
#include <stdbool.h>

/* Blocks SIGINT and SIGTERM from now on, unless they are ignored. */
void stop_hold(void);

/* True if one of the signals arrived since stop_hold. Always false before stop_hold. */
bool stop_is_asked(void);

/*
 * Unblocks the signals for a runner, which has handlers for them. Sets *before to the signal mask
 * so far.
 */
void stop_hand_over(sigset_t *before);

/*
 * Restores the signal mask of stop_hand_over. Called while the runner's handlers are still
 * installed.
 */
void stop_take_back(const sigset_t *before);

/*
 * Returns a descriptor that becomes readable when a signal arrives, or -errno. The caller closes
 * the descriptor.
 */
int stop_open(void);

/*
 * An event loop for one operation that the caller waits for, such as taking in or checking a bot.
 * The loop runs until the operation ends, and reports a stop request (stop.h) to stop_fn; the
 * signal stays pending. Only callers that may block may use it: code that runs on a loop never
 * waits.
 */

struct await {
    struct ev_loop *loop;
    ev_io stop;
    bool ended;
    void (*stop_fn)(void *owner); /* called once when a stop is requested */
    void *owner;
};

/* Creates the loop. Returns 0; or -errno, and then there is nothing to close. */
int await_open(struct await *await, void (*stop_fn)(void *owner), void *owner);

/* Runs the loop until somebody calls await_end. */
void await_run(struct await *await);

/* Ends await_run. Called from the loop, or before await_run. */
void await_end(struct await *await);

void await_close(struct await *await);

#endif
