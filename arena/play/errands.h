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

/*
 * Starts the thread. idle_fn, which may be NULL, is called on the loop whenever no errand is left.
 * Returns NULL with errno set.
 */
struct errands *errands_create(struct ev_loop *loop, void (*idle_fn)(void *owner), void *owner);

/*
 * Runs all errands to their end, also those that a done_fn adds, and calls each one's done_fn.
 * Blocks as long as they take. Accepts NULL.
 */
void errands_destroy(struct errands *errands);

/* Borrows the errand until its done_fn is called. */
void errands_add(struct errands *errands, struct errand *errand);

/* True while an errand was added whose done_fn has not been called yet. */
bool errands_are_under_way(const struct errands *errands);

#endif
