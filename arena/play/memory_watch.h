/*
 * Looks at the memory of all bots at a number of tables every RUNNER_WATCH_MS, where no control
 * group counts it: in steps, so that no answer waits for the memory of many others.
 */
#ifndef ARENA_PLAY_MEMORY_WATCH_H
#define ARENA_PLAY_MEMORY_WATCH_H

#include "arena/play/alarm.h"
#include "arena/play/table.h"

enum {
    MEMORY_WATCH_US_MAX = 250, /* of one step, but for its last table; the next is as much later */
};

struct memory_watch {
    struct alarm alarm;
    int count;                                          /* tables */
    int looked_count;                                   /* of them in this round */
    int64_t begun_us;                                   /* this round */
    struct table *(*table_fn)(void *owner, int number); /* NULL: there is none yet */
    void *owner;
};

/* Returns 0 or -errno. */
int memory_watch_start(struct memory_watch *watch, struct ev_loop *loop, int count,
                       struct table *(*table_fn)(void *owner, int number), void *owner);

/* Takes a zeroed one. */
void memory_watch_stop(struct memory_watch *watch, struct ev_loop *loop);

#endif
