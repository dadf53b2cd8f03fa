/*
 * What a child may do with sockets. A bot has pairs of streams and nothing else. A build whose
 * network is its own, with only a loopback interface, also has TCP and UDP of IPv4: Gradle guards
 * its caches with the one and talks to its daemons by the other. Of these it has what programs
 * need; the rest of the kernel's network code stays out of reach, and so does the size of buffers.
 */
#include <errno.h>
#include <linux/sockios.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include "sandbox/filter_rules.h"

/* Older C libraries lack these. */
#ifndef TCP_ZEROCOPY_RECEIVE
#define TCP_ZEROCOPY_RECEIVE 35
#endif
#ifndef IP_MULTICAST_ALL
#define IP_MULTICAST_ALL 49
#endif

enum {
    KIND_BITS = 0xf, /* of a socket's type; the others are flags */
};

/* Calls that move bytes, and the index of their argument with the flags. */
static const struct {
    int number;
    unsigned flags;
} moving[] = {{SCMP_SYS(sendto), 3}, {SCMP_SYS(recvfrom), 3}, {SCMP_SYS(recvmsg), 2}};

/* Allows pairs of stream sockets, as two-way pipes: no addresses, no out-of-band bytes. */
static void add_pairs(struct filter_building *building)
{
    const struct scmp_arg_cmp stream_pair[] = {
        SCMP_CMP64(0, SCMP_CMP_EQ, AF_UNIX),
        SCMP_CMP64(1, SCMP_CMP_MASKED_EQ, KIND_BITS, SOCK_STREAM),
    };

    filter_add(building, SCMP_ACT_ALLOW, SCMP_SYS(socketpair), 2, stream_pair);
    filter_add_if(building, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(socketpair),
                  SCMP_CMP64(0, SCMP_CMP_NE, AF_UNIX));
    for (size_t i = 0; i < sizeof moving / sizeof *moving; i++) {
        const struct scmp_arg_cmp plain =
            SCMP_CMP64(moving[i].flags, SCMP_CMP_MASKED_EQ, MSG_OOB, 0);
        const struct scmp_arg_cmp no_address = SCMP_CMP64(4, SCMP_CMP_EQ, 0);

        filter_add_if(building, SCMP_ACT_ERRNO(EPERM), moving[i].number,
                      SCMP_CMP64(moving[i].flags, SCMP_CMP_MASKED_EQ, MSG_OOB, MSG_OOB));
        if (moving[i].number != SCMP_SYS(sendto))
            filter_add_if(building, SCMP_ACT_ALLOW, moving[i].number, plain);
        else if (!building->variant->loopback)
            filter_add(building, SCMP_ACT_ALLOW, moving[i].number, 2,
                       (const struct scmp_arg_cmp[]){plain, no_address});
    }
    if (!building->variant->loopback)
        filter_add_if(building, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(sendto),
                      SCMP_CMP64(4, SCMP_CMP_NE, 0));
}

/* Allows TCP and UDP over IPv4; among the others are raw, ICMP, MPTCP, SCTP and UDP-Lite. */
static void add_families(struct filter_building *building)
{
    static const struct {
        uint32_t kind, protocol;
    } allowed[] = {
        {SOCK_STREAM, 0}, {SOCK_STREAM, IPPROTO_TCP}, {SOCK_DGRAM, 0}, {SOCK_DGRAM, IPPROTO_UDP}};

    filter_add_if(building, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(socket),
                  SCMP_CMP64(0, SCMP_CMP_NE, AF_INET));
    for (size_t i = 0; i < sizeof allowed / sizeof *allowed; i++)
        filter_add(building, SCMP_ACT_ALLOW, SCMP_SYS(socket), 3,
                   (const struct scmp_arg_cmp[]){
                       SCMP_CMP64(0, SCMP_CMP_EQ, AF_INET),
                       SCMP_CMP64(1, SCMP_CMP_MASKED_EQ, KIND_BITS, allowed[i].kind),
                       SCMP_CMP64(2, SCMP_CMP_EQ, allowed[i].protocol)});
}

/*
 * The arena counts each socket as full, so the size of buffers is not for the build to choose.
 * Programs ask for a size, and live with another.
 */
static void add_options(struct filter_building *building)
{
    static const struct {
        uint32_t action, level, option;
    } options[] = {
        {SCMP_ACT_ALLOW, SOL_SOCKET, SO_REUSEADDR},    {SCMP_ACT_ALLOW, SOL_SOCKET, SO_REUSEPORT},
        {SCMP_ACT_ALLOW, SOL_SOCKET, SO_BROADCAST},    {SCMP_ACT_ALLOW, SOL_SOCKET, SO_KEEPALIVE},
        {SCMP_ACT_ALLOW, SOL_SOCKET, SO_LINGER},       {SCMP_ACT_ALLOW, SOL_SOCKET, SO_RCVTIMEO},
        {SCMP_ACT_ALLOW, SOL_SOCKET, SO_SNDTIMEO},     {SCMP_ACT_ERRNO(0), SOL_SOCKET, SO_RCVBUF},
        {SCMP_ACT_ERRNO(0), SOL_SOCKET, SO_SNDBUF},    {SCMP_ACT_ALLOW, IPPROTO_TCP, TCP_NODELAY},
        {SCMP_ACT_ALLOW, IPPROTO_IP, IP_MULTICAST_ALL}};

    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        filter_add(building, options[i].action, SCMP_SYS(setsockopt), 2,
                   (const struct scmp_arg_cmp[]){SCMP_CMP64(1, SCMP_CMP_EQ, options[i].level),
                                                 SCMP_CMP64(2, SCMP_CMP_EQ, options[i].option)});
    filter_add_if(building, SCMP_ACT_ALLOW, SCMP_SYS(getsockopt),
                  SCMP_CMP64(1, SCMP_CMP_EQ, SOL_SOCKET));
    filter_add_if(building, SCMP_ACT_ALLOW, SCMP_SYS(getsockopt),
                  SCMP_CMP64(1, SCMP_CMP_EQ, IPPROTO_IP));
    /* Those from there on move bytes, or look into a socket that is under repair. */
    filter_add(building, SCMP_ACT_ALLOW, SCMP_SYS(getsockopt), 2,
               (const struct scmp_arg_cmp[]){SCMP_CMP64(1, SCMP_CMP_EQ, IPPROTO_TCP),
                                             SCMP_CMP64(2, SCMP_CMP_LT, TCP_ZEROCOPY_RECEIVE)});
}

/* Allows what a socket of its own network does, and questions about the interface. */
static void add_loopback(struct filter_building *building)
{
    static const uint32_t questions[] = {SIOCGIFCONF,    SIOCGIFFLAGS,   SIOCGIFADDR,
                                         SIOCGIFBRDADDR, SIOCGIFNETMASK, SIOCGIFINDEX,
                                         SIOCGIFHWADDR,  SIOCGIFMTU};
    static const int addressing[] = {SCMP_SYS(bind), SCMP_SYS(connect), SCMP_SYS(listen),
                                     SCMP_SYS(accept), SCMP_SYS(accept4)};
    /* Not MSG_MORE: each piece of a datagram could keep a block of 32 KiB. */
    const uint32_t sending = MSG_NOSIGNAL | MSG_DONTWAIT | MSG_EOR;

    add_families(building);
    add_options(building);
    FILTER_ADD_VALUES(building, SCMP_SYS(ioctl), 1, questions);
    for (size_t i = 0; i < sizeof addressing / sizeof *addressing; i++)
        filter_add(building, SCMP_ACT_ALLOW, addressing[i], 0, NULL);
    filter_add_if(building, SCMP_ACT_ALLOW, SCMP_SYS(sendto),
                  SCMP_CMP64(3, SCMP_CMP_MASKED_EQ, 0xffffffff & ~sending, 0));
}

void filter_add_sockets(struct filter_building *building)
{
    add_pairs(building);
    if (building->variant->loopback)
        add_loopback(building);
    else
        filter_add(building, SCMP_ACT_ALLOW, SCMP_SYS(getsockopt), 0, NULL);
}
