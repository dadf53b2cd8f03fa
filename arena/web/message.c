#include "arena/web/message.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

int message_limit(int socket, int seconds)
{
    const struct timeval limit = {.tv_sec = seconds};

    if (setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit) < 0 ||
        setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit) < 0)
        return -errno;
    return 0;
}

int message_connect(const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int fd, error;

    if (strlen(path) >= sizeof address.sun_path)
        return -ENAMETOOLONG;
    strcpy(address.sun_path, path);
    fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return -errno;
    error = message_limit(fd, MESSAGE_WEB_S);
    if (!error && connect(fd, (struct sockaddr *)&address, sizeof address) < 0)
        error = -errno;
    if (!error)
        return fd;
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

int message_listen(const char *path)
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
    mask = umask(0111);
    error = bind(fd, (struct sockaddr *)&address, sizeof address) < 0 ? -errno : 0;
    umask(mask);
    if (!error && listen(fd, SOMAXCONN) < 0)
        error = -errno;
    if (!error)
        return fd;
    close(fd);
    return error;
}

static int send_all(int socket, const uint8_t *bytes, size_t size)
{
    while (size > 0) {
        ssize_t sent = send(socket, bytes, size, MSG_NOSIGNAL);

        if (sent < 0 && errno == EINTR)
            continue;
        if (sent < 0)
            return -errno;
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
static int send_first(int socket, uint8_t byte, int fd)
{
    struct iovec part = {&byte, 1};
    union control control = {.bytes = {0}};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};

    if (fd >= 0) {
        control.aligned = (struct cmsghdr){
            .cmsg_len = CMSG_LEN(sizeof fd), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS};
        memcpy(CMSG_DATA(&control.aligned), &fd, sizeof fd);
        message.msg_control = &control;
        message.msg_controllen = sizeof control.bytes;
    }
    return sendmsg(socket, &message, MSG_NOSIGNAL) == 1 ? 0 : -errno;
}

int message_send(int socket, const void *bytes, size_t size, int fd)
{
    const uint8_t length[] = {(uint8_t)size, (uint8_t)(size >> 8), (uint8_t)(size >> 16),
                              (uint8_t)(size >> 24)};
    int error = send_first(socket, length[0], fd);

    if (!error)
        error = send_all(socket, length + 1, sizeof length - 1);
    return error ? error : send_all(socket, bytes, size);
}

static int receive_all(int socket, uint8_t *bytes, size_t size)
{
    while (size > 0) {
        ssize_t got = recv(socket, bytes, size, 0);

        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return got < 0 ? -errno : -ECONNRESET;
        bytes += got;
        size -= (size_t)got;
    }
    return 0;
}

/* Receives the first byte of a message and the file sent with it; *fd is -1 if there is none. */
static int receive_first(int socket, uint8_t *byte, int *fd)
{
    struct iovec part = {byte, 1};
    union control control;
    struct msghdr message = {.msg_iov = &part,
                             .msg_iovlen = 1,
                             .msg_control = &control,
                             /* the padding has room for a second file, which nobody would close */
                             .msg_controllen = CMSG_LEN(sizeof *fd)};
    const struct cmsghdr *header;
    ssize_t got;

    *fd = -1;
    do
        got = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
    while (got < 0 && errno == EINTR);
    if (got <= 0)
        return got < 0 ? -errno : -ECONNRESET;
    header = CMSG_FIRSTHDR(&message);
    if (header && header->cmsg_type == SCM_RIGHTS && header->cmsg_len == CMSG_LEN(sizeof *fd))
        memcpy(fd, CMSG_DATA(header), sizeof *fd);
    return 0;
}

int message_receive(int socket, size_t most, char **bytes, size_t *size, int *fd)
{
    uint8_t length[4];
    char *text = NULL;
    int error, file;

    error = receive_first(socket, length, &file);
    if (!error)
        error = receive_all(socket, length + 1, sizeof length - 1);
    *size = (size_t)length[0] | (size_t)length[1] << 8 | (size_t)length[2] << 16 |
            (size_t)length[3] << 24;
    if (!error && *size > most)
        error = -EMSGSIZE;
    if (!error && !(text = malloc(*size + 1)))
        error = -ENOMEM;
    if (!error)
        error = receive_all(socket, (uint8_t *)text, *size);
    if (file >= 0 && (error || !fd)) {
        close(file);
        file = -1;
    }
    if (fd)
        *fd = file;
    if (error) {
        free(text);
        return error;
    }
    text[*size] = '\0';
    *bytes = text;
    return 0;
}
