/* SPDX-License-Identifier: MIT */
/*
 * A thread for work that would hold the loop, and the mailbox between the thread and the loop.
 *
 *     loop     mailbox_add ---> run_fn    thread
 *              done_fn <------- the same errand, once it has been run
 *              done_fn <------- mailbox_tell: news, without an errand
 *
 * The thread runs one errand at a time, in the order in which they were added, but urgent errands
 * first. Every done_fn is called on the loop, at most one per turn of the loop, so that other
 * watchers run in between. Between errands the thread may do work of its own: due_fn.
 *
 * The thread lives from mailbox_create to mailbox_destroy, with all signals blocked. So run_fn may
 * start processes that the kernel kills when the thread that started them ends (PR_SET_PDEATHSIG).
 * Functions marked "thread" may be called by run_fn and due_fn only, all other functions on the
 * loop only.
 */
#ifndef ARENA_PLAY_MAILBOX_H
#define ARENA_PLAY_MAILBOX_H

#include <ev.h>
#include <stdbool.h>
#include <stdint.h>

/* An errand: work for the thread. Embed the errand at the start of a structure with its data. */
struct errand {
    void (*run_fn)(struct errand *errand);  /* called in the thread to do the work; NULL: the errand
                                               is news for the loop */
    void (*done_fn)(struct errand *errand); /* called on the loop after run_fn; may free errand */
    bool is_urgent; /* the thread runs this errand before errands that are not urgent */
    struct errand *next;
};

struct mailbox;

enum mailbox_limits {
    MAILBOX_SLOW_MS = 120000,  /* default time limit of an errand */
    MAILBOX_HURRY_MS = 10000,  /* time limit of an errand while the program is ending */
    MAILBOX_STUCK_MS = 180000, /* stuck_ms of what starts and ends bots */
};

struct mailbox_options {
    void *owner;

    /* Called in the loop's thread whenever all errands are done. May be NULL. */
    void (*idle_fn)(void *owner);

    /*
     * Called on the loop, each second while an errand takes longer than its time limit, so that the
     * owner can make the errand end. NULL: errands may take any time.
     */
    void (*slow_fn)(void *owner);

    /*
     * If slow_fn has not made the errand end for this long, the arena says so and the process ends
     * with status 1: processes that were killed hang in the kernel, and the thread would wait for
     * them for ever. 0: never.
     */
    int stuck_ms;

    /*
     * Called in the thread whenever no errand waits, so that the thread can do work of its own.
     * Returns the moment (CLOCK_MONOTONIC, microseconds) by which the thread calls the function
     * again; INT64_MAX: only after the next errand. Not called once mailbox_destroy has begun. May
     * be NULL.
     */
    int64_t (*due_fn)(void *owner);
};

/*
 * Starts the thread. Sets *mailbox before the thread runs, because the thread may use it at once.
 * options may be NULL. Returns 0, or -errno with *mailbox NULL.
 */
int mailbox_create(struct mailbox **mailbox, struct ev_loop *loop,
                   const struct mailbox_options *options);

/*
 * Waits until the thread has run all errands, also errands that a done_fn adds, and calls every
 * done_fn, also those of news; then ends the thread and frees the mailbox. The done_fn of the last
 * errand may call mailbox_destroy if there is no idle_fn. Accepts NULL.
 */
void mailbox_destroy(struct mailbox *mailbox);

/* Adds an errand. The mailbox borrows the errand until it calls the errand's done_fn. */
void mailbox_add(struct mailbox *mailbox, struct errand *errand);

/* True while the done_fn of an errand that was added has not been called. */
bool mailbox_is_busy(const struct mailbox *mailbox);

/* Sets the time limit of an errand, after which the loop calls slow_fn. */
void mailbox_limit(struct mailbox *mailbox, int slow_ms);

/* True once mailbox_destroy has begun. May be called on the loop and in the thread. */
bool mailbox_is_ending(struct mailbox *mailbox);

/* Thread: adds news, whose run_fn is NULL; the loop calls its done_fn. */
void mailbox_tell(struct mailbox *mailbox, struct errand *news);

/* Thread: makes the thread also call due_fn whenever fd is readable; -1: no descriptor. */
void mailbox_listen(struct mailbox *mailbox, int fd);

#endif
