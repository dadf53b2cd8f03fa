#include "arena/web/visitors.h"

#include <arpa/inet.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>

#include "arena/play/alarm.h"
#include "arena/web/http.h"

enum {
    RATE_SLOTS = 4096,
    /*
     * From this many connections on, each new connection closes the one that has waited longest
     * without sending a request's head.
     */
    CONNECTIONS_MANY = VISITORS_MAX * 3 / 4,
};

/* How many requests one address may make. */
struct rate {
    uint64_t address; /* IPv4 address, or the first half of an IPv6 address; 0: this slot is free */
    int64_t full_us;  /* time from which the address may make VISITOR_RATE_BURST requests at once */
};

/* An open connection. */
struct visitor {
    struct visitor *next, *previous;
    int fd;
    int64_t since_us; /* time when the client connected or its last request ended */
    bool is_served;   /* the head of the current request has arrived */
    bool is_closed; /* we shut the socket down; libmicrohttpd will notice and end the connection */
};

static bool has_proxy;
static struct rate rates[RATE_SLOTS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of the connections */
static struct visitor *visitors;
static int visitor_count;

void visitors_have_proxy(bool has)
{
    has_proxy = has;
}

/* ---- rates ---- */

/* Key of all clients whose address is unknown; they share one limit. */
enum {
    ADDRESS_UNKNOWN = 1
};

/*
 * Returns the key of an IPv6 network (/64) or of one IPv4 address, also if that is written as IPv6
 * (::ffff:192.0.2.1).
 */
static uint64_t address_key(const struct in6_addr *address)
{
    uint64_t network;
    uint32_t four;

    memcpy(&network, address, sizeof network);
    memcpy(&four, &address->s6_addr[12], sizeof four);
    if (IN6_IS_ADDR_V4MAPPED(address))
        network = UINT64_C(1) << 32 | four;
    return network ? network : ADDRESS_UNKNOWN;
}

/* Parses an address; an IPv4 address becomes IPv6. Returns false if the text is no address. */
static bool read_address(const char *text, struct in6_addr *address)
{
    char mapped[INET6_ADDRSTRLEN + 8];

    snprintf(mapped, sizeof mapped, "::ffff:%s", text);
    return inet_pton(AF_INET6, text, address) == 1 || inet_pton(AF_INET6, mapped, address) == 1;
}

/* Keeps the value of the last X-Forwarded-For header, because a proxy may append its own. */
static enum MHD_Result keep_forwarded(void *context, enum MHD_ValueKind kind, const char *name,
                                      const char *value)
{
    const char **last = context;

    (void)kind;
    if (strcasecmp(name, "X-Forwarded-For") == 0)
        *last = value;
    return MHD_YES;
}

/*
 * Returns the key under which the requests of a client are counted; behind a proxy, the key of the
 * address that the proxy's header names. Returns 0, which means no limit, for a client on this
 * machine that came without the proxy.
 */
static uint64_t address_of(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info =
        http.MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    const struct sockaddr *client = info ? info->client_addr : NULL;
    const char *text = NULL, *comma;
    char four[INET_ADDRSTRLEN];
    struct in6_addr address;

    if (has_proxy) {
        http.MHD_get_connection_values(connection, MHD_HEADER_KIND, keep_forwarded, &text);
        if (!text)
            return 0;
        comma = strrchr(text, ',');
        text = comma ? comma + 1 : text;
        text += strspn(text, " ");
    } else if (client && client->sa_family == AF_INET6) {
        return address_key(&((const struct sockaddr_in6 *)(const void *)client)->sin6_addr);
    } else if (client && client->sa_family == AF_INET) {
        text = inet_ntop(AF_INET, &((const struct sockaddr_in *)(const void *)client)->sin_addr,
                         four, sizeof four);
    }
    return text && read_address(text, &address) ? address_key(&address) : ADDRESS_UNKNOWN;
}

int visitors_early_s(struct MHD_Connection *connection)
{
    const uint64_t address = address_of(connection);
    const int64_t now_us = alarm_now_us(), step_us = 1000000 / VISITOR_RATE_S;
    struct rate *rate = &rates[address * 0x9e3779b97f4a7c15u >> 52];
    int64_t early_us;

    _Static_assert(RATE_SLOTS == 1 << 12, "the hash has 12 bits");
    if (!address)
        return 0;
    if (rate->address != address || rate->full_us < now_us)
        *rate = (struct rate){address, now_us};
    early_us = rate->full_us - now_us - step_us * VISITOR_RATE_BURST;
    if (early_us > 0)
        return (int)(early_us / 1000000) + 1;
    rate->full_us += step_us;
    return 0;
}

/* ---- connections ---- */

/*
 * Closes the connection that has waited longest without sending a request's head. The caller holds
 * the lock.
 */
static void close_oldest(void)
{
    struct visitor *oldest = NULL;

    for (struct visitor *visitor = visitors; visitor; visitor = visitor->next)
        if (!visitor->is_served && !visitor->is_closed &&
            (!oldest || visitor->since_us < oldest->since_us))
            oldest = visitor;
    if (oldest) {
        oldest->is_closed = true;
        shutdown(oldest->fd, SHUT_RDWR);
    }
}

static struct visitor *add_visitor(int fd)
{
    struct visitor *visitor = calloc(1, sizeof *visitor);

    if (!visitor)
        return NULL;
    if (visitor_count >= CONNECTIONS_MANY)
        close_oldest();
    visitor->fd = fd;
    visitor->since_us = alarm_now_us();
    visitor->next = visitors;
    if (visitors)
        visitors->previous = visitor;
    visitors = visitor;
    visitor_count++;
    return visitor;
}

void visitors_changed(void *context, struct MHD_Connection *connection, void **of_connection,
                      enum MHD_ConnectionNotificationCode code)
{
    struct visitor *visitor = *of_connection;

    pthread_mutex_lock(&lock);
    if (code == MHD_CONNECTION_NOTIFY_STARTED) {
        *of_connection =
            add_visitor(http.MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)
                            ->connect_fd);
    } else if (code == MHD_CONNECTION_NOTIFY_CLOSED && visitor) {
        if (visitor->next)
            visitor->next->previous = visitor->previous;
        *(visitor->previous ? &visitor->previous->next : &visitors) = visitor->next;
        visitor_count--;
        free(visitor);
        *of_connection = NULL;
    }
    pthread_mutex_unlock(&lock);
}

void visitors_serve(struct MHD_Connection *connection, bool begins)
{
    const union MHD_ConnectionInfo *info =
        http.MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    struct visitor *visitor = info ? info->socket_context : NULL;

    if (!visitor)
        return;
    pthread_mutex_lock(&lock);
    visitor->is_served = begins;
    if (!begins)
        visitor->since_us = alarm_now_us();
    pthread_mutex_unlock(&lock);
}

void visitors_close_slow(void)
{
    const int64_t before_us = alarm_now_us() - VISITOR_HEAD_S * INT64_C(1000000);

    pthread_mutex_lock(&lock);
    for (struct visitor *visitor = visitors; visitor; visitor = visitor->next)
        if (!visitor->is_served && visitor->since_us < before_us)
            shutdown(visitor->fd, SHUT_RDWR);
    pthread_mutex_unlock(&lock);
}

int visitors_count(void)
{
    int count;

    pthread_mutex_lock(&lock);
    count = visitor_count;
    pthread_mutex_unlock(&lock);
    return count;
}
