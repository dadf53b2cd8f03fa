#include "arena/play/await.h"

#include <errno.h>
#include <unistd.h>

#include "arena/play/stop.h"

static void asked_to_stop(struct ev_loop *loop, ev_io *watch, int events)
{
    struct await *await = watch->data;

    ev_io_stop(loop, watch); /* the signal stays pending, so the descriptor stays readable */
    await->stop_fn(await->owner);
}

int await_open(struct await *await, void (*stop_fn)(void *owner), void *owner)
{
    int stop_fd = stop_open();

    if (stop_fd < 0)
        return stop_fd;
    *await = (struct await){.stop_fn = stop_fn, .owner = owner};
    await->loop = ev_loop_new(EVFLAG_AUTO);
    if (!await->loop) {
        close(stop_fd);
        return -ENOMEM;
    }
    ev_io_init(&await->stop, asked_to_stop, stop_fd, EV_READ);
    await->stop.data = await;
    ev_io_start(await->loop, &await->stop);
    return 0;
}

void await_run(struct await *await)
{
    while (!await->ended)
        ev_run(await->loop, EVRUN_ONCE);
}

void await_end(struct await *await)
{
    await->ended = true;
}

void await_close(struct await *await)
{
    ev_io_stop(await->loop, &await->stop);
    close(await->stop.fd);
    ev_loop_destroy(await->loop);
}
