/* SPDX-License-Identifier: MIT */
/*
 * Watches a descriptor on the loop, even if the kernel refuses to. epoll counts the descriptors
 * that all programs of an account watch, bots included (fs.epoll.max_user_watches). Once there are
 * too many, libev stops a watcher that it cannot add, and reports that only after its next poll,
 * which may sleep for a minute. A watch that was refused instead polls its descriptor every
 * millisecond by itself, and tries again each time. No other file of the arena starts a watcher of
 * libev other than timers, which need no registration.
 */
#ifndef ARENA_PLAY_WATCH_H
#define ARENA_PLAY_WATCH_H

#include <ev.h>
#include <stdbool.h>

enum {
    WATCH_LOOK_US = 1000, /* time between two polls of a watch that was refused */
};

struct watch {
    ev_io io;
    ev_timer look;   /* runs until the kernel is known to watch the descriptor */
    bool is_refused; /* the kernel refused the last time */
    void (*ready_fn)(struct watch *watch);
    void *owner;
};

/* Prepares a watch; events are EV_READ or EV_WRITE. */
void watch_init(struct watch *watch, int fd, int events, void (*ready_fn)(struct watch *watch),
                void *owner);

/* Starts a watch that does not run yet; does nothing if its descriptor is -1. */
void watch_start(struct watch *watch, struct ev_loop *loop);

/* Accepts a watch that does not run, or is zeroed. */
void watch_stop(struct watch *watch, struct ev_loop *loop);

/* True from watch_start to watch_stop. */
bool watch_is_running(const struct watch *watch);

#endif
