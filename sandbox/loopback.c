#include "sandbox/loopback.h"

#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
    TCP_BUFFER_BYTES = 65536, /* as in the settings */
    /*
     * What a full socket may hold beyond its two buffers. A queued byte keeps the whole block of
     * 32 KiB in which the kernel stored it, and nothing accounts for that: two sockets with many
     * bytes sent one by one held 10 MiB.
     */
    KEPT_BYTES = 12 << 20,
};

/*
 * Each namespace has its own copy of these. TCP would let a buffer grow to megabytes. The others
 * bound what holds no socket that the kernel counts: connections that nobody has accepted, and
 * those that are over.
 */
static const struct {
    const char *path, *text;
} settings[] = {
    {"/proc/sys/net/ipv4/tcp_rmem", "4096 65536 65536"},
    {"/proc/sys/net/ipv4/tcp_wmem", "4096 65536 65536"},
    {"/proc/sys/net/core/somaxconn", "128"},
    {"/proc/sys/net/ipv4/tcp_max_syn_backlog", "128"},
    {"/proc/sys/net/ipv4/tcp_max_tw_buckets", "1024"},
    {"/proc/sys/net/ipv4/tcp_no_metrics_save", "1"},
};

static void write_setting(struct confine_plan *plan, const char *path, const char *text)
{
    int fd = (int)confine_check(plan, "bound the buffers of a network",
                                syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CLOEXEC));

    confine_check(plan, "bound the buffers of a network",
                  syscall(SYS_write, fd, text, strlen(text)));
    syscall(SYS_close, fd);
}

static int open_socket(struct confine_plan *plan, int type)
{
    return (int)confine_check(plan, "open a socket",
                              syscall(SYS_socket, AF_INET, type | SOCK_CLOEXEC, 0));
}

static int64_t buffer_bytes(struct confine_plan *plan, int fd, int option)
{
    socklen_t size = sizeof(int);
    int bytes = 0;

    confine_check(plan, "ask for the size of a buffer",
                  syscall(SYS_getsockopt, fd, SOL_SOCKET, option, &bytes, &size));
    return bytes;
}

static void bring_up(struct confine_plan *plan, int fd)
{
    struct ifreq interface = {.ifr_name = "lo"};

    confine_check(plan, "bring the loopback interface up",
                  syscall(SYS_ioctl, fd, SIOCGIFFLAGS, &interface));
    interface.ifr_flags = (short)(interface.ifr_flags | IFF_UP);
    confine_check(plan, "bring the loopback interface up",
                  syscall(SYS_ioctl, fd, SIOCSIFFLAGS, &interface));
}

void loopback_set_up(struct confine_plan *plan)
{
    int stream_fd, datagram_fd;

    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        write_setting(plan, settings[i].path, settings[i].text);
    stream_fd = open_socket(plan, SOCK_STREAM);
    datagram_fd = open_socket(plan, SOCK_DGRAM);
    bring_up(plan, datagram_fd);
    if (buffer_bytes(plan, stream_fd, SO_RCVBUF) > TCP_BUFFER_BYTES ||
        buffer_bytes(plan, stream_fd, SO_SNDBUF) > TCP_BUFFER_BYTES) {
        errno = ENOTSUP;
        confine_check(plan, "bound the buffers of a network", -1);
    }
    /* Those of UDP and of pairs have the machine's size, which is larger. */
    plan->socket_bytes = buffer_bytes(plan, datagram_fd, SO_RCVBUF) +
                         buffer_bytes(plan, datagram_fd, SO_SNDBUF) + KEPT_BYTES;
    if (plan->socket_bytes < 2 * (int64_t)TCP_BUFFER_BYTES + KEPT_BYTES)
        plan->socket_bytes = 2 * (int64_t)TCP_BUFFER_BYTES + KEPT_BYTES;
    syscall(SYS_close, stream_fd);
    syscall(SYS_close, datagram_fd);
}
