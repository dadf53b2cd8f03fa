/*
 * A loop of its own for one thing that a caller waits for, while bots are taken in, checked or
 * looked at: it runs until that has ended, and a stop that is asked for (stop.h) is told. The
 * signal stays pending. For whatever blocks; what runs on a loop never waits.
 */
#ifndef ARENA_PLAY_AWAIT_H
#define ARENA_PLAY_AWAIT_H

#include <ev.h>
#include <stdbool.h>

struct await {
    struct ev_loop *loop;
    ev_io stop;
    bool ended;
    void (*stop_fn)(void *owner); /* a stop is asked for: called once */
    void *owner;
};

/* Makes the loop. Returns 0 or -errno: then there is nothing to close. */
int await_open(struct await *await, void (*stop_fn)(void *owner), void *owner);

/* Runs the loop until await_end. */
void await_run(struct await *await);

/* Called from the loop, or before it runs. */
void await_end(struct await *await);

void await_close(struct await *await);

#endif
