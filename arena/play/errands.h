/*
 * What would hold a loop, done by a thread beside it, one errand after the other in the order in
 * which they were added: starting a bot, ending one, removing a folder. The thread lives from
 * errands_create to errands_destroy, and so may processes that die with the thread that forked
 * them.
 */
#ifndef ARENA_PLAY_ERRANDS_H
#define ARENA_PLAY_ERRANDS_H

#include <ev.h>
#include <stdbool.h>

/* One of them, at the start of a structure with what it needs. */
struct errand {
    void (*run_fn)(struct errand *errand);  /* in the thread */
    void (*done_fn)(struct errand *errand); /* on the loop, afterwards: the errand is its own */
    struct errand *next;
};

struct errands;

/* idle_fn is called on the loop whenever the last errand under way is done; may be NULL. NULL with
   errno set. */
struct errands *errands_create(struct ev_loop *loop, void (*idle_fn)(void *owner), void *owner);

/* Waits for all errands, those included that a done_fn adds, and calls each one's done_fn; blocks
   as long as they take. Takes NULL. */
void errands_destroy(struct errands *errands);

/* Borrows the errand until its done_fn is called. */
void errands_add(struct errands *errands, struct errand *errand);

/* True while one is under way: added, and its done_fn not called yet. */
bool errands_are_under_way(const struct errands *errands);

#endif
