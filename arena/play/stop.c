#include "arena/play/stop.h"

#include <errno.h>
#include <stddef.h>
#include <sys/signalfd.h>

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
            /* If blocked, even an ignored signal would become pending. */
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

/* The signalfd is only polled, never read, so that the signal stays pending for the next check. */
int stop_open(void)
{
    sigset_t set;
    int fd;

    fill(&set);
    fd = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
    return fd < 0 ? -errno : fd;
}
