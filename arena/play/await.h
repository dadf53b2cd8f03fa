/*
 * An event loop for a single operation that the caller waits for, such as taking in or checking a
 * bot. It runs until the operation ends and reports a stop request (stop.h); the signal stays
 * pending. Only for callers that may block: code that runs on a loop never waits.
 */
#ifndef ARENA_PLAY_AWAIT_H
#define ARENA_PLAY_AWAIT_H

#include <ev.h>
#include <stdbool.h>

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
