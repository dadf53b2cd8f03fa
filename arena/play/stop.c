#include "arena/play/stop.h"

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

/*
 * Most callers only poll the signalfd and never read it, so that the signal stays pending for other
 * checks.
 */
int stop_open(void)
{
    sigset_t set;
    int fd;

    stop_signals(&set);
    fd = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
    return fd < 0 ? -errno : fd;
}
