/* SPDX-License-Identifier: MIT */
/* What a build tries with its loopback interface. */
#include "tests/hostile/attacks/attacks.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

enum {
    LEFT_PORT = 40404,
    HOLDERS = 8,
    HELD_MAX = 100,     /* connections of one process */
    LISTENERS_MAX = 20, /* with a full queue each */
    QUEUED_MAX = 12,
    STREAM_BYTES_MAX = 192 << 10, /* two buffers of 64 KiB, and a packet */
    DATAGRAMS = 16,               /* more than a socket keeps */
    PATIENCE_S = 20,
};

static struct sockaddr_in at(const char *host, int port)
{
    return (struct sockaddr_in){.sin_family = AF_INET,
                                .sin_port = htons((uint16_t)port),
                                .sin_addr.s_addr = inet_addr(host)};
}

static int connect_to(int fd, struct sockaddr_in address)
{
    return connect(fd, (struct sockaddr *)&address, sizeof address);
}

static int bind_to(int fd, int port)
{
    struct sockaddr_in address = at("127.0.0.1", port);

    return bind(fd, (struct sockaddr *)&address, sizeof address);
}

static int listen_on(int port, struct sockaddr_in *address)
{
    socklen_t size = sizeof *address;
    int fd = socket(AF_INET, SOCK_STREAM, 0);

    if (bind_to(fd, port) < 0 || listen(fd, HELD_MAX) < 0 ||
        getsockname(fd, (struct sockaddr *)address, &size) < 0)
        return -1;
    return fd;
}

static void talks_to_itself(void)
{
    struct sockaddr_in address;
    int listener = listen_on(0, &address), caller = socket(AF_INET, SOCK_STREAM, 0), called;
    char byte = 0;

    attack_tell(connect_to(caller, address));
    called = accept(listener, NULL, NULL);
    attack_tell(send(caller, "x", 1, 0) == 1 && recv(called, &byte, 1, 0) == 1 ? 0 : -1);
    caller = socket(AF_INET, SOCK_DGRAM, 0);
    attack_tell(bind_to(caller, ntohs(address.sin_port)));
    sendto(caller, "y", 1, 0, (struct sockaddr *)&address, sizeof address);
    attack_tell(recv(caller, &byte, 1, 0) == 1 && byte == 'y' ? 0 : -1);
}

static void other_sockets(void)
{
    static const struct {
        int family, type, protocol;
    } kinds[] = {{AF_INET6, SOCK_STREAM, 0},        {AF_INET6, SOCK_DGRAM, 0},
                 {AF_UNIX, SOCK_STREAM, 0},         {AF_UNIX, SOCK_DGRAM, 0},
                 {AF_NETLINK, SOCK_RAW, 0},         {AF_PACKET, SOCK_RAW, 0},
                 {AF_VSOCK, SOCK_STREAM, 0},        {AF_ALG, SOCK_SEQPACKET, 0},
                 {AF_INET, SOCK_RAW, IPPROTO_ICMP}, {AF_INET, SOCK_DGRAM, IPPROTO_ICMP},
                 {AF_INET, SOCK_STREAM, 262},       {AF_INET, SOCK_STREAM, IPPROTO_SCTP},
                 {AF_INET, SOCK_SEQPACKET, 0},      {AF_INET, SOCK_DGRAM, IPPROTO_UDPLITE}};

    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        attack_tell(socket(kinds[i].family, kinds[i].type, kinds[i].protocol));
}

static int asked_size(int fd, int option)
{
    socklen_t size = sizeof(int);
    int bytes = 0;

    getsockopt(fd, SOL_SOCKET, option, &bytes, &size);
    return bytes;
}

static void larger_buffers(void)
{
    static const int sizes[] = {SO_RCVBUF, SO_SNDBUF};
    static const int types[] = {SOCK_STREAM, SOCK_DGRAM};
    const int large = 1 << 20;

    for (size_t i = 0; i < 4; i++) {
        int fd = socket(AF_INET, types[i / 2], 0), before = asked_size(fd, sizes[i % 2]);

        attack_tell(setsockopt(fd, SOL_SOCKET, sizes[i % 2], &large, sizeof large));
        attack_judge(asked_size(fd, sizes[i % 2]) == before, "same", "larger");
    }
}

static void other_options(void)
{
    static const struct {
        int level, option;
    } options[] = {{SOL_SOCKET, SO_RCVBUFFORCE},    {SOL_SOCKET, SO_SNDBUFFORCE},
                   {SOL_SOCKET, SO_ATTACH_FILTER},  {SOL_SOCKET, SO_ZEROCOPY},
                   {SOL_SOCKET, SO_BINDTODEVICE},   {SOL_SOCKET, SO_MARK},
                   {IPPROTO_TCP, TCP_ULP},          {IPPROTO_TCP, TCP_REPAIR},
                   {IPPROTO_TCP, TCP_FASTOPEN},     {IPPROTO_TCP, TCP_CONGESTION},
                   {IPPROTO_IP, IP_ADD_MEMBERSHIP}, {IPPROTO_IP, IP_OPTIONS},
                   {IPPROTO_IP, 64 /* netfilter */}};
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    int value[8] = {0};
    socklen_t size = sizeof value;

    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        attack_tell(setsockopt(fd, options[i].level, options[i].option, value, sizeof value));
    attack_tell(getsockopt(fd, IPPROTO_TCP, 35 /* TCP_ZEROCOPY_RECEIVE */, value, &size));
}

static void other_sends(void)
{
    struct sockaddr_in address;
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    struct msghdr message = {.msg_name = &address, .msg_namelen = sizeof address};

    listen_on(0, &address);
    attack_tell(sendto(fd, "x", 1, MSG_FASTOPEN, (struct sockaddr *)&address, sizeof address));
    attack_tell(connect_to(fd, address));
    attack_tell(send(fd, "x", 1, MSG_OOB));
    attack_tell(send(fd, "x", 1, MSG_ZEROCOPY));
    attack_tell(sendmsg(fd, &message, 0));
}

static void changes_interface(void)
{
    static const unsigned long requests[] = {SIOCSIFADDR, SIOCSIFFLAGS, SIOCSIFMTU, SIOCADDRT};
    struct ifreq interface = {.ifr_name = "lo"};
    int fd = socket(AF_INET, SOCK_DGRAM, 0);

    attack_tell(ioctl(fd, SIOCGIFFLAGS, &interface));
    for (size_t i = 0; i < sizeof requests / sizeof *requests; i++)
        attack_tell(ioctl(fd, requests[i], &interface));
}

/* The machine listens on the port that a file of its folder names, with TCP and UDP. */
static void reaches_out(void)
{
    FILE *file = fopen("port", "r");
    int stream = socket(AF_INET, SOCK_STREAM, 0), datagram = socket(AF_INET, SOCK_DGRAM, 0);
    int port = 0;
    char byte;

    if (!file || fscanf(file, "%d", &port) != 1) {
        attack_say("no port");
        return;
    }
    attack_tell(connect_to(stream, at("127.0.0.1", port)));
    connect_to(datagram, at("127.0.0.1", port));
    send(datagram, "x", 1, 0);
    attack_tell(recv(datagram, &byte, 1, 0));
    attack_tell(connect_to(socket(AF_INET, SOCK_STREAM, 0), at("192.0.2.1", port)));
    attack_tell(connect_to(socket(AF_INET, SOCK_DGRAM, 0), at("192.0.2.1", port)));
}

static const struct sockaddr_un left_name = {.sun_family = AF_UNIX, .sun_path = "\0left"};

/* Names one end of a pair: there is no other socket of this family. */
static int take_name(void)
{
    int ends[2];

    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) < 0)
        return -1;
    return bind(ends[0], (const struct sockaddr *)&left_name, sizeof left_name);
}

static void leaves_listeners(void)
{
    struct sockaddr_in address;
    int ready[2], datagram = socket(AF_INET, SOCK_DGRAM, 0);
    char byte;

    if (pipe(ready) < 0)
        return;
    if (fork() == 0) {
        setsid();
        if (listen_on(LEFT_PORT, &address) >= 0 && bind_to(datagram, LEFT_PORT) == 0 &&
            take_name() == 0 && write(ready[1], "x", 1) == 1)
            sleep(PATIENCE_S);
        _exit(0);
    }
    close(ready[1]);
    attack_tell(read(ready[0], &byte, 1) == 1 ? 0 : -1);
}

static int count_lines(const char *path)
{
    FILE *file = fopen(path, "r");
    char line[512];
    int count = 0;

    while (file && fgets(line, sizeof line, file))
        count++;
    return count;
}

static void finds_listeners(void)
{
    struct sockaddr_in address;
    int datagram = socket(AF_INET, SOCK_DGRAM, 0);

    attack_judge(count_lines("/proc/net/tcp") <= 1 && count_lines("/proc/net/udp") <= 1 &&
                     count_lines("/proc/net/unix") <= 1,
                 "empty", "not empty");
    attack_tell(connect_to(socket(AF_INET, SOCK_STREAM, 0), at("127.0.0.1", LEFT_PORT)));
    attack_tell(listen_on(LEFT_PORT, &address));
    attack_tell(bind_to(datagram, LEFT_PORT));
    attack_tell(take_name());
}

static char block[65000];

/* Returns how many bytes it took. */
static long fill(int fd)
{
    long sum_bytes = 0, sent;

    for (int size = sizeof block; size > 0; size /= 2)
        while ((sent = send(fd, block, (size_t)size, MSG_DONTWAIT)) > 0)
            sum_bytes += sent;
    return sum_bytes;
}

/* TCP would let a buffer grow. */
static void full_stream(void)
{
    struct sockaddr_in address;
    int caller = socket(AF_INET, SOCK_STREAM, 0);
    long sum_bytes = 0;

    listen_on(0, &address);
    attack_tell(connect_to(caller, address));
    for (int i = 0; i < 10; i++) {
        sum_bytes += fill(caller);
        usleep(10000);
    }
    attack_judge(sum_bytes <= STREAM_BYTES_MAX, "bounded", "large");
}

static void hold_streams(void)
{
    struct sockaddr_in address;
    int listener = listen_on(0, &address);

    for (int i = 0; i < HELD_MAX; i++) {
        int caller = socket(AF_INET, SOCK_STREAM, 0);

        if (connect_to(caller, address) < 0)
            break;
        fill(caller);
        fill(accept(listener, NULL, NULL));
    }
}

/* A datagram that has no room is dropped, and sending it succeeds. */
static void hold_datagrams(void)
{
    for (int i = 0; i < 2 * HELD_MAX; i++) {
        struct sockaddr_in address;
        socklen_t size = sizeof address;
        int fd = socket(AF_INET, SOCK_DGRAM, 0);

        if (bind_to(fd, 0) < 0)
            break;
        getsockname(fd, (struct sockaddr *)&address, &size);
        connect_to(fd, address);
        for (int j = 0; j < DATAGRAMS; j++)
            send(fd, block, sizeof block, MSG_DONTWAIT);
    }
}

/* The callers are closed while their bytes are unread, and the called were never accepted. */
static void hold_without_descriptors(void)
{
    for (int i = 0; i < LISTENERS_MAX; i++) {
        struct sockaddr_in address;

        listen_on(0, &address);
        for (int j = 0; j < QUEUED_MAX; j++) {
            int caller = socket(AF_INET, SOCK_STREAM, 0);

            if (connect_to(caller, address) == 0)
                fill(caller);
            close(caller);
        }
    }
}

static void hold(void (*hold_fn)(void))
{
    for (int i = 0; i < HOLDERS; i++)
        if (fork() == 0) {
            hold_fn();
            sleep(PATIENCE_S);
            _exit(0);
        }
    sleep(PATIENCE_S);
    attack_say("unbounded");
}

static void streams_hold(void)
{
    hold(hold_streams);
}

static void datagrams_hold(void)
{
    hold(hold_datagrams);
}

static void orphans_hold(void)
{
    hold(hold_without_descriptors);
}

static void *hold_in_thread(void *unused)
{
    usleep(100000);
    streams_hold();
    _exit(0);
    return unused;
}

static void hold_without_first_thread(void)
{
    pthread_t thread;

    pthread_create(&thread, NULL, hold_in_thread, NULL);
    syscall(SYS_exit, 0);
}

const struct attack attacks_by_loopback[] = {
    {"talk-to-itself", talks_to_itself},
    {"other-sockets", other_sockets},
    {"larger-buffers", larger_buffers},
    {"full-stream", full_stream},
    {"other-options", other_options},
    {"other-sends", other_sends},
    {"change-interface", changes_interface},
    {"reach-out", reaches_out},
    {"leave-listeners", leaves_listeners},
    {"find-listeners", finds_listeners},
    {"streams-hold", streams_hold},
    {"datagrams-hold", datagrams_hold},
    {"orphans-hold", orphans_hold},
    {"streams-hold-without-first-thread", hold_without_first_thread},
    {NULL, NULL},
};
