/* SPDX-License-Identifier: MIT */
#include "arena/web/message.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "arena/base/clock.h"

int message_connect(const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int fd, error;

    if (strlen(path) >= sizeof address.sun_path)
        return -ENAMETOOLONG;
    strcpy(address.sun_path, path);
    fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return -errno;
    if (connect(fd, (struct sockaddr *)&address, sizeof address) == 0)
        return fd;
    error = -errno;
    close(fd);
    return error;
}

/* Removes the file of a socket on which no process listens any more. */
static int remove_left_socket(const char *path)
{
    struct stat stat;
    int fd;

    if (lstat(path, &stat) < 0)
        return errno == ENOENT ? 0 : -errno;
    if (!S_ISSOCK(stat.st_mode))
        return -EEXIST;
    fd = message_connect(path);
    if (fd >= 0)
        close(fd);
    if (fd != -ECONNREFUSED)
        return -EADDRINUSE;
    return unlink(path) < 0 ? -errno : 0;
}

int message_listen(const char *path, bool is_public)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int fd, error;
    mode_t mask;

    if (strlen(path) >= sizeof address.sun_path)
        return -ENAMETOOLONG;
    strcpy(address.sun_path, path);
    error = remove_left_socket(path);
    if (error)
        return error;
    fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return -errno;
    /* Not by chmod: in a folder that others may write, the path may lead to another file by now. */
    mask = umask(is_public ? 0111 : 0117);
    error = bind(fd, (struct sockaddr *)&address, sizeof address) < 0 ? -errno : 0;
    umask(mask);
    if (!error && listen(fd, SOMAXCONN) < 0)
        error = -errno;
    if (!error)
        return fd;
    close(fd);
    return error;
}

/* Called after errno was set: returns 0 if the call may now succeed, else -errno. */
static int await(int socket, short events, int64_t deadline_us)
{
    struct pollfd wait = {.fd = socket, .events = events};
    const int64_t left_ms = (deadline_us - clock_now_us() + 999) / 1000;

    if (errno == EINTR)
        return 0;
    if (errno != EAGAIN)
        return -errno;
    if (left_ms <= 0)
        return -ETIMEDOUT;
    return poll(&wait, 1, left_ms < INT_MAX ? (int)left_ms : INT_MAX) < 0 && errno != EINTR ? -errno
                                                                                            : 0;
}

static int send_all(int socket, int64_t deadline_us, const uint8_t *bytes, size_t size)
{
    while (size > 0) {
        ssize_t sent = send(socket, bytes, size, MSG_NOSIGNAL | MSG_DONTWAIT);

        if (sent < 0) {
            int error = await(socket, POLLOUT, deadline_us);

            if (error)
                return error;
            continue;
        }
        bytes += sent;
        size -= (size_t)sent;
    }
    return 0;
}

/* Ancillary data of a message, with room for one descriptor. */
union control {
    char bytes[CMSG_SPACE(sizeof(int))];
    struct cmsghdr aligned;
};

/* Sends the first byte of a message, together with an open file if fd is not -1. */
static int send_first(int socket, int64_t deadline_us, uint8_t byte, int fd)
{
    struct iovec part = {&byte, 1};
    union control control = {.bytes = {0}};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    int error = 0;

    if (fd >= 0) {
        control.aligned = (struct cmsghdr){
            .cmsg_len = CMSG_LEN(sizeof fd), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS};
        memcpy(CMSG_DATA(&control.aligned), &fd, sizeof fd);
        message.msg_control = &control;
        message.msg_controllen = sizeof control.bytes;
    }
    while (!error && sendmsg(socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT) < 0)
        error = await(socket, POLLOUT, deadline_us);
    return error;
}

int message_send(int socket, int64_t deadline_us, const void *bytes, size_t size, int fd)
{
    const uint8_t length[] = {(uint8_t)size, (uint8_t)(size >> 8), (uint8_t)(size >> 16),
                              (uint8_t)(size >> 24)};
    int error = send_first(socket, deadline_us, length[0], fd);

    if (!error)
        error = send_all(socket, deadline_us, length + 1, sizeof length - 1);
    return error ? error : send_all(socket, deadline_us, bytes, size);
}

/* Takes the first byte of a message, and the file sent with it. Returns what recvmsg returned. */
static ssize_t take_first(int socket, struct message *message)
{
    struct iovec part = {message->length, 1};
    union control control;
    struct msghdr head = {.msg_iov = &part,
                          .msg_iovlen = 1,
                          .msg_control = &control,
                          /* the padding has room for a second file, which nobody would close */
                          .msg_controllen = CMSG_LEN(sizeof message->fd)};
    const ssize_t got = recvmsg(socket, &head, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
    const struct cmsghdr *header = got > 0 ? CMSG_FIRSTHDR(&head) : NULL;

    if (header && header->cmsg_type == SCM_RIGHTS &&
        header->cmsg_len == CMSG_LEN(sizeof message->fd))
        memcpy(&message->fd, CMSG_DATA(header), sizeof message->fd);
    return got;
}

/* Makes room for the text once its length is known. */
static int make_room(struct message *message, size_t most)
{
    const uint8_t *length = message->length;

    message->size = (size_t)length[0] | (size_t)length[1] << 8 | (size_t)length[2] << 16 |
                    (size_t)length[3] << 24;
    if (message->size > most)
        return -EMSGSIZE;
    message->text = calloc(message->size + 1, 1);
    return message->text ? 0 : -ENOMEM;
}

int message_take(int socket, size_t most, struct message *message)
{
    const size_t head = sizeof message->length;

    for (;;) {
        ssize_t got;

        if (message->got == head && !message->text) {
            int error = make_room(message, most);

            if (error)
                return error;
        }
        if (message->got == head + message->size && message->text)
            return 1;
        if (message->got == 0)
            got = take_first(socket, message);
        else if (message->got < head)
            got = recv(socket, message->length + message->got, head - message->got, MSG_DONTWAIT);
        else
            got = recv(socket, message->text + (message->got - head),
                       head + message->size - message->got, MSG_DONTWAIT);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return errno == EAGAIN ? 0 : -errno;
        if (got == 0)
            return -ECONNRESET;
        message->got += (size_t)got;
    }
}

void message_drop(struct message *message)
{
    free(message->text);
    if (message->fd >= 0)
        close(message->fd);
    *message = MESSAGE_EMPTY;
}

int message_receive(int socket, int64_t deadline_us, size_t most, char **bytes, size_t *size,
                    int *fd)
{
    struct message message = MESSAGE_EMPTY;
    int result;

    while ((result = message_take(socket, most, &message)) == 0) {
        errno = EAGAIN;
        result = await(socket, POLLIN, deadline_us);
        if (result)
            break;
    }
    if (result < 0) {
        message_drop(&message);
        return result;
    }
    if (fd)
        *fd = message.fd;
    else if (message.fd >= 0)
        close(message.fd);
    *bytes = message.text;
    *size = message.size;
    return 0;
}
