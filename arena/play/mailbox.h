/*
 * A thread for what would hold the loop, and the mailbox between the two.
 *
 *     loop     mailbox_add ---> run_fn    thread
 *              done_fn <------- the same errand, once it has been run
 *              done_fn <------- mailbox_tell: news that nobody asked for
 *
 * The thread runs one errand at a time, in the order in which they were added, urgent ones first.
 * All done_fn are called on the loop, at most one per turn of the loop, so that other watchers run
 * in between. Between errands the thread may have work of its own: due_fn.
 *
 * The thread lives from mailbox_create to mailbox_destroy, with all signals blocked; processes that
 * die with the thread that forked them can live as long. Functions marked "thread" may be called by
 * run_fn and due_fn only, all others on the loop only.
 */
#ifndef ARENA_PLAY_MAILBOX_H
#define ARENA_PLAY_MAILBOX_H

#include <ev.h>
#include <stdbool.h>
#include <stdint.h>

/* One errand. Embed it at the start of a structure with its data. */
struct errand {
    void (*run_fn)(struct errand *errand);  /* called in the thread; NULL: news */
    void (*done_fn)(struct errand *errand); /* called on the loop afterwards; may free the errand */
    bool is_urgent;                         /* overtakes those that are not */
    struct errand *next;                    /* the mailbox's */
};

struct mailbox;

enum mailbox_limits {
    MAILBOX_SLOW_MS = 120000, /* usual limits of an errand, where there is a slow_fn */
    MAILBOX_LOST_MS = 30000,
    MAILBOX_HURRY_MS = 10000, /* MAILBOX_SLOW_MS once the program is to end */
};

struct mailbox_options {
    void *owner;

    /* On the loop: no errand is left. May be NULL. */
    void (*idle_fn)(void *owner);

    /*
     * On the loop, each second while an errand takes longer than its limit, so that the owner can
     * make it end. lost: that did not help, and the thread was given up with this errand and those
     * that waited; their done_fn are never called. NULL: errands may take as long as they like.
     */
    void (*slow_fn)(void *owner, bool lost);

    /*
     * In the thread, whenever no errand waits: the thread's own work. Returns the time
     * (CLOCK_MONOTONIC, microseconds) by which to call it again; INT64_MAX: after the next errand.
     * No longer called once mailbox_destroy has begun. May be NULL.
     */
    int64_t (*due_fn)(void *owner);
};

/*
 * Sets *mailbox, which the thread may use at once, and starts the thread. options may be NULL.
 * Returns 0, or -errno with *mailbox NULL.
 */
int mailbox_create(struct mailbox **mailbox, struct ev_loop *loop,
                   const struct mailbox_options *options);

/*
 * Runs all errands to their end, also those that a done_fn adds, and calls the done_fn of each and
 * of all news; then ends the thread. Blocks as long as that takes, at most until the thread is
 * given up: then it returns false. A done_fn may call it if it is that of the last errand and there
 * is no idle_fn. Accepts NULL.
 */
bool mailbox_destroy(struct mailbox *mailbox);

/* Borrows the errand until its done_fn is called. */
void mailbox_add(struct mailbox *mailbox, struct errand *errand);

/* True while an errand was added whose done_fn has not been called yet. */
bool mailbox_is_busy(const struct mailbox *mailbox);

/*
 * An errand is slow after slow_ms, counted from when its turn came; if it, and what follows it, is
 * slow for lost_ms more, the thread is given up.
 */
void mailbox_limit(struct mailbox *mailbox, int slow_ms, int lost_ms);

/* True once mailbox_destroy has begun. On the loop and in the thread. */
bool mailbox_is_ending(struct mailbox *mailbox);

/* Thread: has the news' done_fn called on the loop; its run_fn must be NULL. */
void mailbox_tell(struct mailbox *mailbox, struct errand *news);

/* Thread: has due_fn called also when this descriptor can be read; -1: no descriptor. */
void mailbox_listen(struct mailbox *mailbox, int fd);

#endif
