/* SPDX-License-Identifier: MIT */
#include "arena/play/watch.h"

#include <poll.h>

enum {
    FIRST_LOOK_US = 10000, /* from the start until the watch knows whether it was refused */
};

/*
 * Starts the watcher. ev_io_set makes libev ask the kernel anew; without it, libev believes that a
 * descriptor that was just refused is watched.
 */
static void try_to_watch(struct watch *watch, struct ev_loop *loop, int us)
{
    ev_io_set(&watch->io, watch->io.fd, watch->io.events);
    ev_io_start(loop, &watch->io);
    watch->look.repeat = us / 1e6;
    ev_timer_again(loop, &watch->look);
}

/* libev reports a refused watcher with EV_ERROR, and has stopped it: `look` starts it again. */
static void ready(struct ev_loop *loop, ev_io *io, int events)
{
    struct watch *watch = io->data;

    if (!(events & EV_ERROR))
        watch->ready_fn(watch);
}

static void look(struct ev_loop *loop, ev_timer *timer, int events)
{
    struct watch *watch = timer->data;
    struct pollfd state = {.fd = watch->io.fd,
                           .events = watch->io.events & EV_WRITE ? POLLOUT : POLLIN};

    watch->is_refused = !ev_is_active(&watch->io);
    if (!watch->is_refused) {
        ev_timer_stop(loop, timer);
        return;
    }
    try_to_watch(watch, loop, WATCH_LOOK_US);
    if (poll(&state, 1, 0) > 0)
        watch->ready_fn(watch); /* may stop or free the watch */
}

void watch_init(struct watch *watch, int fd, int events, void (*ready_fn)(struct watch *watch),
                void *owner)
{
    *watch = (struct watch){.ready_fn = ready_fn, .owner = owner};
    ev_io_init(&watch->io, ready, fd, events);
    ev_timer_init(&watch->look, look, 0., 0.);
    watch->io.data = watch->look.data = watch;
}

void watch_start(struct watch *watch, struct ev_loop *loop)
{
    if (watch->io.fd < 0 || watch_is_running(watch))
        return;
    try_to_watch(watch, loop, FIRST_LOOK_US);
}

void watch_stop(struct watch *watch, struct ev_loop *loop)
{
    ev_io_stop(loop, &watch->io);
    ev_timer_stop(loop, &watch->look);
    watch->is_refused = false;
}

bool watch_is_running(const struct watch *watch)
{
    return ev_is_active(&watch->io) || ev_is_active(&watch->look);
}
