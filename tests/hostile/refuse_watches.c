/* SPDX-License-Identifier: MIT */
/*
 * Preloaded into the arena, stands in for a kernel that has hardly any watches of epoll left for
 * the account: takes one descriptor of three, and refuses the others for ever.
 */
#include <errno.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <unistd.h>

int epoll_ctl(int epoll_fd, int operation, int fd, struct epoll_event *event)
{
    if (operation == EPOLL_CTL_ADD && fd % 3 != 0) {
        errno = ENOSPC;
        return -1;
    }
    return (int)syscall(SYS_epoll_ctl, epoll_fd, operation, fd, event);
}
