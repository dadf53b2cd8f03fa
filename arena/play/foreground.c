/* SPDX-License-Identifier: MIT */
#include "arena/play/foreground.h"

#include <errno.h>
#include <stddef.h>
#include <sys/signalfd.h>
#include <unistd.h>

static const int numbers[] = {SIGINT, SIGTERM};

void stop_signals(sigset_t *set)
{
    sigemptyset(set);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        sigaddset(set, numbers[i]);
}

void stop_hold(void)
{
    struct sigaction action;
    sigset_t set;

    stop_signals(&set);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (sigaction(numbers[i], NULL, &action) == 0 && action.sa_handler == SIG_IGN)
            /* an ignored signal is not blocked, because the kernel would keep it pending */
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

/*
 * Most callers only poll this descriptor and never read it, so that the signal stays pending and
 * later checks find it.
 */
int stop_open(void)
{
    sigset_t set;
    int fd;

    stop_signals(&set);
    fd = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
    return fd < 0 ? -errno : fd;
}

static void signalled(struct watch *watch)
{
    struct foreground *foreground = watch->owner;
    struct signalfd_siginfo taken;

    if (foreground->is_once)
        watch_stop(
            watch,
            foreground->loop); /* the signal stays pending, so the descriptor stays readable */
    else if (read(watch->io.fd, &taken, sizeof taken) < 0)
        return;
    foreground->interrupt_fn(foreground->owner);
}

int foreground_open_once(struct foreground *foreground, void (*interrupt_fn)(void *owner),
                         void *owner)
{
    int stop_fd = stop_open();

    if (stop_fd < 0)
        return stop_fd;
    *foreground =
        (struct foreground){.is_once = true, .interrupt_fn = interrupt_fn, .owner = owner};
    /* Not libev's default loop, which would reap every child of the process. */
    foreground->loop = ev_loop_new(EVFLAG_AUTO);
    if (!foreground->loop) {
        close(stop_fd);
        return -ENOMEM;
    }
    sigprocmask(SIG_BLOCK, NULL, &foreground->signals_before);
    watch_init(&foreground->stop, stop_fd, EV_READ, signalled, foreground);
    watch_start(&foreground->stop, foreground->loop);
    return 0;
}

int foreground_open(struct foreground *foreground, void (*interrupt_fn)(void *owner), void *owner)
{
    int error = foreground_open_once(foreground, interrupt_fn, owner);
    sigset_t signals;

    if (error)
        return error;
    foreground->is_once = false;
    stop_signals(&signals);
    /* A blocked SIGINT reaches the signalfd even if a shell's `&` made the arena ignore SIGINT. */
    sigprocmask(SIG_BLOCK, &signals, NULL);
    return 0;
}

void foreground_wait(struct foreground *foreground)
{
    while (!foreground->ended)
        ev_run(foreground->loop, EVRUN_ONCE);
}

void foreground_end(struct foreground *foreground)
{
    foreground->ended = true;
}

void foreground_close(struct foreground *foreground)
{
    watch_stop(&foreground->stop, foreground->loop);
    close(foreground->stop.io.fd);
    ev_loop_destroy(foreground->loop);
    sigprocmask(SIG_SETMASK, &foreground->signals_before, NULL);
}
