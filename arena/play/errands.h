/*
 * Runs work that would hold the loop on a separate thread, one errand at a time, in the order in
 * which they were added: starting a bot, ending one, removing a folder. The thread lives from
 * errands_create to errands_destroy; processes that die with the thread that forked them can live
 * as long.
 */
#ifndef ARENA_PLAY_ERRANDS_H
#define ARENA_PLAY_ERRANDS_H

#include <ev.h>
#include <stdbool.h>

/* One errand. Embed it at the start of a structure with its data. */
struct errand {
    void (*run_fn)(struct errand *errand);  /* called in the thread */
    void (*done_fn)(struct errand *errand); /* called on the loop afterwards; may free the errand */
    struct errand *next;
};

struct errands;

enum errands_limits {
    ERRANDS_SLOW_MS = 120000, /* usual limits of errands_watch */
    ERRANDS_HURRY_MS = 10000,
    ERRANDS_LOST_MS = 30000,
    ERRANDS_LOOK_MS = 1000, /* between looks at the errand under way */
};

/*
 * Starts the thread. idle_fn, which may be NULL, is called on the loop whenever no errand is left.
 * Returns NULL with errno set.
 */
struct errands *errands_create(struct ev_loop *loop, void (*idle_fn)(void *owner), void *owner);

/*
 * Has slow_fn called on the loop each second while an errand takes longer than slow_ms, so that the
 * owner can make it end. lost: that did not help within lost_ms more, and the thread was given up
 * with that errand and those that waited; their done_fn are never called.
 */
void errands_watch(struct errands *errands, int slow_ms, int lost_ms,
                   void (*slow_fn)(void *owner, bool lost));

/* From now on an errand may take slow_ms. */
void errands_hurry(struct errands *errands, int slow_ms);

/*
 * Runs all errands to their end, also those that a done_fn adds, and calls each one's done_fn.
 * Blocks as long as they take; with errands_watch, until the thread is given up. Accepts NULL.
 */
void errands_destroy(struct errands *errands);

/* Borrows the errand until its done_fn is called. */
void errands_add(struct errands *errands, struct errand *errand);

/* True while an errand was added whose done_fn has not been called yet. */
bool errands_are_under_way(const struct errands *errands);

#endif
