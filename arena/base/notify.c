/* SPDX-License-Identifier: MIT */
#include "arena/base/notify.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "arena/base/clock.h"

void notify_send(const char *text)
{
    const char *path = getenv("NOTIFY_SOCKET");
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    size_t size = path ? strlen(path) : 0;
    int fd;

    if (size < 2 || size >= sizeof address.sun_path || (path[0] != '/' && path[0] != '@'))
        return;
    memcpy(address.sun_path, path, size);
    if (path[0] == '@') /* @ stands for the NUL that begins an abstract socket name */
        address.sun_path[0] = '\0';
    fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0)
        return;
    sendto(fd, text, strlen(text), MSG_NOSIGNAL, (struct sockaddr *)&address,
           (socklen_t)(offsetof(struct sockaddr_un, sun_path) + size));
    close(fd);
}

/* Returns how often the manager wants to hear WATCHDOG=1, from $WATCHDOG_USEC; 0: never. */
static int64_t watchdog_us(void)
{
    const char *text = getenv("WATCHDOG_USEC"), *pid = getenv("WATCHDOG_PID");

    if (!text || (pid && atoll(pid) != (long long)getpid()))
        return 0;
    return atoll(text) / 2;
}

void notify_alive(int64_t *sent_us, const char *words)
{
    const int64_t now_us = clock_now_us(), every_us = watchdog_us();
    char text[256];

    if (!every_us || now_us - *sent_us < every_us)
        return;
    *sent_us = now_us;
    snprintf(text, sizeof text, "WATCHDOG=1\nSTATUS=%s", words);
    notify_send(text);
}
