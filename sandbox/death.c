/* SPDX-License-Identifier: MIT */
#include "sandbox/death.h"

#include <poll.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

int64_t death_now_us(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

bool death_take(pid_t pid)
{
    return waitpid(pid, NULL, __WALL | WNOHANG) != 0;
}

bool death_poll(int fd, int64_t deadline_us)
{
    struct pollfd wait = {.fd = fd, .events = POLLIN};

    for (;;) {
        int64_t left_us = deadline_us - death_now_us();

        if (poll(&wait, 1, left_us > 0 ? (int)(left_us / 1000 + 1) : 0) > 0)
            return true;
        if (left_us <= 0)
            return false;
    }
}

bool death_await(pid_t pid, int pid_fd, int64_t deadline_us)
{
    int own_fd = -1;
    bool waited = false;
    bool dead = death_take(pid);

    if (dead)
        return true;
    if (pid_fd < 0) /* there is no pidfd: the loop below looks every millisecond */
        own_fd = pid_fd = (int)syscall(SYS_pidfd_open, pid, 0);
    while (!dead && death_now_us() < deadline_us) {
        if (pid_fd >= 0 && !waited)
            waited = death_poll(pid_fd, deadline_us);
        else /* there is no pidfd, or a debugger still holds the dead child */
            poll(NULL, 0, 1);
        dead = death_take(pid);
    }
    if (own_fd >= 0)
        close(own_fd);
    return dead;
}
