/* SPDX-License-Identifier: MIT */
/*
 * Preloaded into the arena, stands in for a kernel that has hardly any watches of epoll left for
 * the account: takes one descriptor of three, and refuses the others for ever. With
 * REFUSE="NUMBER ERROR" only call NUMBER fails, with that errno; with REFUSE="0 ERROR" all do.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <unistd.h>

int epoll_ctl(int epoll_fd, int operation, int fd, struct epoll_event *event)
{
    static _Atomic int call_count;
    const char *refuse = getenv("REFUSE");
    int number, error = ENOSPC, now = ++call_count;
    const int is_refused = refuse && sscanf(refuse, "%d %d", &number, &error) == 2
                               ? number == 0 || number == now
                               : operation == EPOLL_CTL_ADD && fd % 3 != 0;

    if (is_refused) {
        errno = error;
        return -1;
    }
    return (int)syscall(SYS_epoll_ctl, epoll_fd, operation, fd, event);
}
