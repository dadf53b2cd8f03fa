#include "arena/play/foreground.h"

#include <errno.h>
#include <stddef.h>

#include "arena/play/stop.h"

static void signalled(struct ev_loop *loop, ev_signal *watch, int events)
{
    struct foreground *foreground = watch->data;

    foreground->interrupt_fn(foreground->owner);
}

int foreground_open(struct foreground *foreground, void (*interrupt_fn)(void *owner), void *owner)
{
    *foreground = (struct foreground){.interrupt_fn = interrupt_fn, .owner = owner};
    /* A loop of its own: libev's default loop would reap every child of the process. */
    foreground->loop = ev_loop_new(EVFLAG_AUTO);
    if (!foreground->loop)
        return -ENOMEM;
    ev_signal_init(&foreground->interrupt, signalled, SIGINT);
    ev_signal_init(&foreground->terminate, signalled, SIGTERM);
    foreground->interrupt.data = foreground->terminate.data = foreground;
    return 0;
}

void foreground_wait(struct foreground *foreground)
{
    ev_signal_start(foreground->loop, &foreground->interrupt);
    ev_signal_start(foreground->loop, &foreground->terminate);
    stop_hand_over(&foreground->signals_before);
    ev_run(foreground->loop, 0);
    stop_take_back(&foreground->signals_before);
    ev_signal_stop(foreground->loop, &foreground->terminate);
    ev_signal_stop(foreground->loop, &foreground->interrupt);
}

void foreground_end(struct foreground *foreground)
{
    ev_break(foreground->loop, EVBREAK_ONE);
}

void foreground_close(struct foreground *foreground)
{
    ev_loop_destroy(foreground->loop);
}

/* ---- a runner ---- */

struct run {
    struct runner *runner;
    struct foreground foreground;
};

static void interrupt_run(void *owner)
{
    struct run *run = owner;

    runner_interrupt(run->runner);
}

static void run_ended(void *owner)
{
    struct run *run = owner;

    foreground_end(&run->foreground);
}

int foreground_play(struct runner *runner, struct sandbox_failure *failure)
{
    struct run run = {.runner = runner};
    int error;

    *failure = (struct sandbox_failure){0};
    if (stop_is_asked()) {
        runner_interrupt(runner);
        return 0;
    }
    error = foreground_open(&run.foreground, interrupt_run, &run);
    if (!error) {
        error = runner_start(runner, run.foreground.loop, run_ended, &run);
        if (!error)
            foreground_wait(&run.foreground);
        foreground_close(&run.foreground);
    }
    if (error) {
        *failure = (struct sandbox_failure){.step = "event loop", .error = -error};
        return -1;
    }
    return runner_failed(runner, failure) ? -1 : 0;
}
