/*
 * Checks the memory of all bots at a number of tables every RUNNER_WATCH_MS, where no cgroup counts
 * it. Works in steps, so that no answer waits while many bots are measured.
 */
#ifndef ARENA_PLAY_MEMORY_WATCH_H
#define ARENA_PLAY_MEMORY_WATCH_H

#include "arena/play/alarm.h"
#include "arena/play/table.h"

enum {
    MEMORY_WATCH_US_MAX = 250, /* time limit of a step; reading the last table may exceed it, and
                                  delays the next step as much */
};

struct memory_watch {
    struct alarm alarm;
    int count;                                          /* tables */
    int looked_count;                                   /* tables checked in this round */
    int64_t begun_us;                                   /* start of this round */
    struct table *(*table_fn)(void *owner, int number); /* NULL: no such table yet */
    void *owner;
};

/* Returns 0 or -errno. */
int memory_watch_start(struct memory_watch *watch, struct ev_loop *loop, int count,
                       struct table *(*table_fn)(void *owner, int number), void *owner);

/* Accepts a zeroed watch. */
void memory_watch_stop(struct memory_watch *watch, struct ev_loop *loop);

#endif
