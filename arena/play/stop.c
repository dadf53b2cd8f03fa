#include "arena/play/stop.h"

#include <errno.h>
#include <stddef.h>
#include <sys/signalfd.h>
#include <unistd.h>

static const int numbers[] = {SIGINT, SIGTERM};

static void fill(sigset_t *set)
{
    sigemptyset(set);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        sigaddset(set, numbers[i]);
}

void stop_hold(void)
{
    struct sigaction action;
    sigset_t set;

    fill(&set);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (sigaction(numbers[i], NULL, &action) == 0 && action.sa_handler == SIG_IGN)
            /* An ignored signal that is blocked would become pending, too. */
            sigdelset(&set, numbers[i]);
    sigprocmask(SIG_BLOCK, &set, NULL);
}

bool stop_is_asked(void)
{
    sigset_t pending;

    sigpending(&pending);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (sigismember(&pending, numbers[i]))
            return true;
    return false;
}

void stop_hand_over(sigset_t *before)
{
    sigset_t set;

    fill(&set);
    sigprocmask(SIG_UNBLOCK, &set, before);
}

void stop_take_back(const sigset_t *before)
{
    sigprocmask(SIG_SETMASK, before, NULL);
}

/*
 * Callers only poll the signalfd and never read it, so that the signal stays pending for other
 * checks.
 */
int stop_open(void)
{
    sigset_t set;
    int fd;

    fill(&set);
    fd = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
    return fd < 0 ? -errno : fd;
}

/* ---- waiting for one operation ---- */

static void asked_to_stop(struct ev_loop *loop, ev_io *watch, int events)
{
    struct await *await = watch->data;

    ev_io_stop(loop, watch); /* nobody reads the signal, so the descriptor stays readable */
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
