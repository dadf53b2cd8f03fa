/* SPDX-License-Identifier: MIT */
#include "arena/web/visitors.h"

#include <arpa/inet.h>
#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "arena/web/microhttpd.h"
#include "arena/base/clock.h"

enum {
    RATE_SLOTS = 4096,
    DISCARDED_BYTES = 1 << 16,     /* read at a time from a client that lingers */
    DISCARDED_BYTES_MAX = 4 << 20, /* read in all */
    LATE_MS = 200, /* time between two searches for connections past their deadlines */
};

/* The networks of a client, as keys; 0: unknown as yet. */
struct network {
    uint64_t near, far;
};

/* All clients that a proxy does not name; they share the limits of one client. */
static const struct network network_unnamed = {5, 6};

/* How many requests a network may make. */
struct rate {
    uint64_t network; /* 0: this slot is free */
    int64_t full_us;  /* time from which the network may make a whole burst of requests */
};

struct visitor {
    struct visitor *next, *previous;
    struct MHD_Connection *connection; /* NULL: VISITOR_LINGERS */
    int fd;
    enum visitor_state state;
    int64_t since_us, deadline_us;
    struct network network;
    uint64_t token; /* key of the token whose upload is under way; 0: none */
    int64_t discarded_bytes;
    bool is_heavy;
    bool is_closed; /* we shut the socket down; its reader will notice and end the connection */
};

static struct rate rates[RATE_SLOTS];
static bool has_proxy, has_warned;
static void (*warn)(const char *words);
static int epoll_fd, signal_fd;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* protects the variables below */
static struct visitor *visitors;
static int visitor_count;

/* ---- whose a connection is ---- */

static struct network network_of(const struct in6_addr *address)
{
    uint64_t first;
    uint32_t four;

    memcpy(&first, address, sizeof first);
    memcpy(&four, &address->s6_addr[12], sizeof four);
    first = be64toh(first);
    four = be32toh(four);
    if (IN6_IS_ADDR_V4MAPPED(address))
        return (struct network){UINT64_C(1) << 40 | (uint64_t)four << 8 | 3,
                                UINT64_C(1) << 40 | (uint64_t)(four >> 8) << 16 | 4};
    return (struct network){(first >> 8) << 8 | 1, (first >> 16) << 16 | 2};
}

static struct network network_of_socket(const struct sockaddr *address)
{
    struct in6_addr six = {.s6_addr = {[10] = 0xff, [11] = 0xff}};

    if (address && address->sa_family == AF_INET6)
        six = ((const struct sockaddr_in6 *)(const void *)address)->sin6_addr;
    else if (address && address->sa_family == AF_INET)
        memcpy(&six.s6_addr[12], &((const struct sockaddr_in *)(const void *)address)->sin_addr, 4);
    else
        return network_unnamed;
    return network_of(&six);
}

/* Keeps the value of the last X-Forwarded-For header, because a proxy may append its own. */
static enum MHD_Result keep_forwarded(void *context, enum MHD_ValueKind kind, const char *name,
                                      const char *value)
{
    const char **last = context;

    if (strcasecmp(name, "X-Forwarded-For") == 0)
        *last = value;
    return MHD_YES;
}

/* Returns the network of the address that the proxy names last in X-Forwarded-For. */
static struct network network_of_head(struct MHD_Connection *connection)
{
    char mapped[INET6_ADDRSTRLEN + 8];
    const char *text = NULL, *comma;
    struct in6_addr address;

    http.MHD_get_connection_values(connection, MHD_HEADER_KIND, keep_forwarded, &text);
    comma = text ? strrchr(text, ',') : NULL;
    text = comma ? comma + 1 : text ? text : "";
    text += strspn(text, " ");
    snprintf(mapped, sizeof mapped, "::ffff:%s", text);
    if (inet_pton(AF_INET6, text, &address) == 1 || inet_pton(AF_INET6, mapped, &address) == 1)
        return network_of(&address);
    if (!has_warned)
        warn("a request has no X-Forwarded-For with the client's address: all such requests share "
             "the limits of one client; if a proxy sent it, have the proxy name each client "
             "(docs/operations.md)");
    has_warned = true;
    return network_unnamed;
}

/*
 * Counts a request of a network that may make `times` as many as a near network. Returns after how
 * many seconds the network may make the request; 0: now. Only libmicrohttpd's thread calls this.
 */
static int wait_of_network_s(uint64_t network, int times)
{
    const int64_t now_us = clock_now_us(), step_us = 1000000 / (VISITOR_REQUESTS_S * times);
    struct rate *rate = &rates[network * 0x9e3779b97f4a7c15u >> 52];
    int64_t early_us;

    _Static_assert(RATE_SLOTS == 1 << 12, "the hash has 12 bits");
    if (rate->network != network || rate->full_us < now_us)
        *rate = (struct rate){network, now_us};
    early_us = rate->full_us - now_us - step_us * VISITOR_REQUESTS_BURST * times;
    if (early_us > 0)
        return (int)(early_us / 1000000) + 1;
    rate->full_us += step_us;
    return 0;
}

/* ---- deadlines ---- */

static int64_t after_us(int64_t since_us, int64_t seconds)
{
    return since_us + seconds * 1000000;
}

static void set_state(struct visitor *visitor, enum visitor_state state, uint64_t bytes)
{
    visitor->state = state;
    visitor->since_us = clock_now_us();
    visitor->deadline_us = INT64_MAX;
    switch (state) {
    case VISITOR_HEAD:
        visitor->deadline_us = after_us(visitor->since_us, VISITOR_HEAD_S);
        break;
    case VISITOR_BODY:
        visitor->deadline_us = after_us(visitor->since_us, VISITOR_GRACE_S);
        break;
    case VISITOR_TAKES:
        visitor->deadline_us =
            after_us(visitor->since_us, VISITOR_GRACE_S + (int64_t)(bytes / VISITOR_RATE_BYTES_S));
        break;
    case VISITOR_LINGERS:
        visitor->deadline_us = after_us(visitor->since_us, VISITOR_LINGER_S);
        break;
    case VISITOR_ASKS:
        break;
    }
}

/* Ends a connection; whoever reads it notices. The caller holds the lock. */
static void end(struct visitor *visitor)
{
    if (visitor->is_closed)
        return;
    visitor->is_closed = true;
    shutdown(visitor->fd, SHUT_RDWR);
}

/* ---- which connection goes when there are too many ---- */

static int compare(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

/* Orders visitors by network, in a network those that are not served first, then the oldest. */
static int compare_visitors(const void *a, const void *b)
{
    const struct visitor *one = *(struct visitor *const *)a, *other = *(struct visitor *const *)b;
    const bool is_served = one->state >= VISITOR_BODY && one->state <= VISITOR_TAKES;
    const bool is_other_served = other->state >= VISITOR_BODY && other->state <= VISITOR_TAKES;

    return compare(one->network.far, other->network.far)
               ?: compare(one->network.near, other->network.near)
               ?: (int)is_served - (int)is_other_served
               ?: compare((uint64_t)one->since_us, (uint64_t)other->since_us);
}

/* Finds the longest run of visitors of one network: a far one, or a near one. */
static struct visitor **longest_run(struct visitor **first, int count, bool is_far, int *length)
{
    struct visitor **longest = first;

    *length = 0;
    for (int begin = 0, end = 0; begin < count; begin = end) {
        const struct network *network = &first[begin]->network;

        for (; end < count && (is_far ? first[end]->network.far == network->far
                                      : first[end]->network.near == network->near);
             end++)
            ;
        if (end - begin > *length) {
            *length = end - begin;
            longest = first + begin;
        }
    }
    return longest;
}

/*
 * Ends a connection of the network that has the most, if there are VISITORS_MANY. The caller holds
 * the lock.
 */
static void end_one_of_most(void)
{
    static struct visitor *found[2 * VISITORS_MAX];
    struct visitor **run;
    int count = 0;

    for (struct visitor *visitor = visitors; visitor && count < 2 * VISITORS_MAX;
         visitor = visitor->next)
        if (!visitor->is_closed)
            found[count++] = visitor;
    if (count < VISITORS_MANY)
        return;
    qsort(found, (size_t)count, sizeof *found, compare_visitors);
    run = longest_run(found, count, true, &count);
    run = longest_run(run, count, false, &count);
    end(*run);
}

/* ---- connections ---- */

static struct visitor *visitor_of(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info =
        http.MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);

    return info ? info->socket_context : NULL; /* NULL: there was no memory for the visitor */
}

enum MHD_Result visitor_accept(void *context, const struct sockaddr *address, socklen_t size)
{
    const struct network network = network_of_socket(address);
    int near = 0, far = 0;

    if (has_proxy)
        return MHD_YES;
    pthread_mutex_lock(&lock);
    for (struct visitor *visitor = visitors; visitor; visitor = visitor->next) {
        near += !visitor->is_closed && visitor->network.near == network.near;
        far += !visitor->is_closed && visitor->network.far == network.far;
    }
    pthread_mutex_unlock(&lock);
    return near < VISITORS_A_NETWORK && far < FAR_NETWORK_TIMES * VISITORS_A_NETWORK ? MHD_YES
                                                                                     : MHD_NO;
}

static struct visitor *add(struct MHD_Connection *connection)
{
    struct visitor *visitor = calloc(1, sizeof *visitor);

    if (!visitor)
        return NULL;
    visitor->connection = connection;
    visitor->fd =
        http.MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
    if (!has_proxy)
        visitor->network = network_of_socket(
            http.MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS)
                ->client_addr);
    setsockopt(visitor->fd, SOL_SOCKET, SO_SNDBUF, &(int){VISITOR_UNSENT_BYTES}, sizeof(int));
    set_state(visitor, VISITOR_HEAD, 0);
    end_one_of_most();
    visitor->next = visitors;
    if (visitors)
        visitors->previous = visitor;
    visitors = visitor;
    visitor_count++;
    return visitor;
}

static void remove_visitor(struct visitor *visitor)
{
    if (visitor->next)
        visitor->next->previous = visitor->previous;
    *(visitor->previous ? &visitor->previous->next : &visitors) = visitor->next;
    visitor_count--;
    free(visitor);
}

/*
 * Keeps the socket of a connection that libmicrohttpd is about to close open, if the client has not
 * ended it. Returns false if the connection has ended.
 */
static bool linger(struct visitor *visitor)
{
    struct epoll_event event = {.events = EPOLLIN | EPOLLRDHUP, .data.ptr = visitor};
    char byte;
    int fd;

    if (visitor->is_closed || visitor_count > VISITORS_MAX ||
        recv(visitor->fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 0)
        return false;
    fd = fcntl(visitor->fd, F_DUPFD_CLOEXEC, 0);
    if (fd < 0)
        return false;
    shutdown(fd, SHUT_WR); /* with TLS, libmicrohttpd leaves this out */
    if (epoll_ctl(epoll_fd, EPOLL_CTL_ADD, fd, &event) < 0) {
        close(fd);
        return false;
    }
    visitor->fd = fd;
    visitor->connection = NULL;
    set_state(visitor, VISITOR_LINGERS, 0);
    return true;
}

void visitor_changed(void *context, struct MHD_Connection *connection, void **of_connection,
                     enum MHD_ConnectionNotificationCode code)
{
    struct visitor *visitor = *of_connection;

    pthread_mutex_lock(&lock);
    if (code == MHD_CONNECTION_NOTIFY_STARTED) {
        *of_connection = add(connection);
    } else if (code == MHD_CONNECTION_NOTIFY_CLOSED && visitor) {
        if (!linger(visitor))
            remove_visitor(visitor);
        *of_connection = NULL;
    }
    pthread_mutex_unlock(&lock);
}

/* ---- requests ---- */

int visitor_begin(struct MHD_Connection *connection)
{
    struct visitor *visitor = visitor_of(connection);
    struct network network = network_unnamed;

    if (has_proxy)
        network = network_of_head(connection);
    else if (visitor)
        network = visitor->network;
    if (visitor) {
        pthread_mutex_lock(&lock);
        visitor->network = network;
        set_state(visitor, VISITOR_BODY, 0);
        pthread_mutex_unlock(&lock);
    }
    return wait_of_network_s(network.near, 1) ?: wait_of_network_s(network.far, FAR_NETWORK_TIMES);
}

bool visitor_may_ask(struct MHD_Connection *connection, bool is_heavy)
{
    const int most = is_heavy ? HEAVY_A_NETWORK : VISITORS_A_NETWORK;
    struct visitor *own = visitor_of(connection);
    int near = 0, far = 0;

    if (!own)
        return false;
    pthread_mutex_lock(&lock);
    own->is_heavy = is_heavy;
    for (struct visitor *visitor = visitors; visitor; visitor = visitor->next) {
        if (visitor->state == VISITOR_HEAD || visitor->state == VISITOR_LINGERS ||
            (is_heavy && !visitor->is_heavy))
            continue;
        near += visitor->network.near == own->network.near;
        far += visitor->network.far == own->network.far;
    }
    pthread_mutex_unlock(&lock);
    return near <= most && far <= FAR_NETWORK_TIMES * most;
}

bool visitor_may_upload(struct MHD_Connection *connection, const char *token_sha256)
{
    struct visitor *own = visitor_of(connection);
    uint64_t token = 0;
    int count = 0;

    if (!own)
        return false;
    sscanf(token_sha256, "%16" SCNx64, &token);
    pthread_mutex_lock(&lock);
    own->token = token;
    for (struct visitor *visitor = visitors; visitor; visitor = visitor->next)
        count += visitor->token == token;
    if (count > UPLOADS_A_TOKEN)
        own->token = 0;
    pthread_mutex_unlock(&lock);
    return count <= UPLOADS_A_TOKEN;
}

void visitor_wait(struct MHD_Connection *connection, enum visitor_state state, uint64_t bytes)
{
    struct visitor *visitor = visitor_of(connection);

    if (!visitor)
        return;
    pthread_mutex_lock(&lock);
    set_state(visitor, state, bytes);
    if (state == VISITOR_HEAD) {
        visitor->token = 0;
        visitor->is_heavy = false;
        if (has_proxy)
            visitor->network = (struct network){0};
    }
    pthread_mutex_unlock(&lock);
}

void visitor_sent(struct MHD_Connection *connection, uint64_t bytes)
{
    struct visitor *visitor = visitor_of(connection);

    if (!visitor)
        return;
    pthread_mutex_lock(&lock);
    if (visitor->state == VISITOR_BODY) {
        visitor->deadline_us += (int64_t)bytes * 1000000 / VISITOR_RATE_BYTES_S;
        if (visitor->deadline_us > after_us(visitor->since_us, VISITOR_BODY_S))
            visitor->deadline_us = after_us(visitor->since_us, VISITOR_BODY_S);
    }
    pthread_mutex_unlock(&lock);
}

/* ---- the thread that closes connections ---- */

int visitors_open(bool is_behind_proxy, const sigset_t *ends, void (*warn_fn)(const char *words))
{
    struct epoll_event event = {.events = EPOLLIN};

    has_proxy = is_behind_proxy;
    warn = warn_fn;
    epoll_fd = epoll_create1(EPOLL_CLOEXEC);
    signal_fd = signalfd(-1, ends, SFD_CLOEXEC | SFD_NONBLOCK);
    return epoll_fd < 0 || signal_fd < 0 ||
                   epoll_ctl(epoll_fd, EPOLL_CTL_ADD, signal_fd, &event) < 0
               ? -errno
               : 0;
}

static void end_lingering(struct visitor *visitor)
{
    /* Closing alone would leave the watch while libmicrohttpd has not closed its own descriptor. */
    epoll_ctl(epoll_fd, EPOLL_CTL_DEL, visitor->fd, NULL);
    close(visitor->fd);
    remove_visitor(visitor);
}

/* Reads and discards what a client that lingers has sent. */
static void discard(struct visitor *visitor)
{
    static char bytes[DISCARDED_BYTES];
    const ssize_t size = recv(visitor->fd, bytes, sizeof bytes, MSG_DONTWAIT);

    visitor->discarded_bytes += size;
    if (size == 0 || (size < 0 && errno != EAGAIN && errno != EINTR) ||
        visitor->discarded_bytes > DISCARDED_BYTES_MAX)
        end_lingering(visitor);
}

static void end_late(void)
{
    const int64_t now_us = clock_now_us();
    struct visitor *next;

    for (struct visitor *visitor = visitors; visitor; visitor = next) {
        next = visitor->next;
        if (visitor->deadline_us > now_us)
            continue;
        if (visitor->state == VISITOR_LINGERS)
            end_lingering(visitor);
        else
            end(visitor);
    }
}

bool visitors_watch(void)
{
    static int64_t late_us;
    struct epoll_event events[64];
    bool has_signal = false;
    int count = epoll_wait(epoll_fd, events, sizeof events / sizeof *events, LATE_MS);

    pthread_mutex_lock(&lock);
    for (int i = 0; i < count; i++)
        if (events[i].data.ptr)
            discard(events[i].data.ptr);
        else
            has_signal = true;
    if (clock_now_us() >= late_us) {
        end_late();
        late_us = clock_now_us() + LATE_MS * 1000;
    }
    pthread_mutex_unlock(&lock);
    return !has_signal;
}
