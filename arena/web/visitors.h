/* SPDX-License-Identifier: MIT */
/*
 * Visitors: the open connections of the web process, whose they are, and how long each may take.
 *
 * Every connection that waits for its client has one deadline. Bytes that a client sends or takes
 * move the deadline by what VISITOR_RATE_BYTES_S says, so that dripping does not help.
 *
 * Limits count by network: a near network is one IPv4 address or an IPv6 /56, which is one
 * household; a far network is an IPv4 /24 or an IPv6 /48, and may have FAR_NETWORK_TIMES as much.
 * From VISITORS_MANY connections on, a new connection closes one of the network that has the most,
 * so that a client with few connections always gets in and stays.
 *
 * libmicrohttpd closes a socket once it has sent the answer. If the client still sends, the kernel
 * then resets the connection, and the client loses the answer. So visitors keep a duplicate of the
 * socket: libmicrohttpd half-closes the socket, and what the client still sends is discarded for
 * VISITOR_LINGER_S. An upload that is refused is therefore answered at its head, unless a proxy
 * sends it: the proxy would cut its own client off (web.c).
 */
#ifndef ARENA_WEB_VISITORS_H
#define ARENA_WEB_VISITORS_H

#include <microhttpd.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

enum visitor_limits {
    VISITORS_MAX = 1024,
    VISITORS_MANY = VISITORS_MAX * 3 / 4,
    VISITORS_A_NETWORK = 64, /* connections; behind a proxy, requests at once */
    HEAVY_A_NETWORK = 8,     /* listings, ladders and replays at once */
    UPLOADS_A_TOKEN = 2,     /* uploads at once with one token */
    FAR_NETWORK_TIMES = 4,   /* limits of a far network, in those of a near network */
    VISITOR_REQUESTS_S = 50, /* maximum mean number of requests a second from a near network */
    VISITOR_REQUESTS_BURST = 1000, /* maximum number of requests at once from a near network */
    VISITOR_HEAD_S = 10,           /* time limit for the head of a request */
    VISITOR_GRACE_S = 20,          /* time limit for a body or an answer, to which its bytes add */
    VISITOR_RATE_BYTES_S = 4096,   /* bytes that add a second to the time limit */
    VISITOR_BODY_S = 600,          /* time limit for a body, whatever its bytes add */
    /* What the kernel keeps of an answer until the client takes it; the kernel counts it double. */
    VISITOR_UNSENT_BYTES = 64 << 10,
    VISITOR_LINGER_S = 2, /* time for which bytes of the client are discarded after the answer */
};

/* What a connection waits for. */
enum visitor_state {
    VISITOR_HEAD = 0,    /* the head of a request */
    VISITOR_BODY = 1,    /* the rest of the request */
    VISITOR_ASKS = 2,    /* the desk, which has its own deadlines */
    VISITOR_TAKES = 3,   /* the client, which takes the answer */
    VISITOR_LINGERS = 4, /* the client's end of the connection; libmicrohttpd has closed its own */
};

/*
 * Call before the process is confined. has_proxy: a proxy on this machine names the clients'
 * addresses in X-Forwarded-For. From then on `ends` end visitors_watch. Calls warn_fn with a line
 * for the organizer. Returns 0 or -errno.
 */
int visitors_open(bool has_proxy, const sigset_t *ends, void (*warn_fn)(const char *words));

/*
 * Closes connections past their deadlines, for up to a second. Returns false once one of the
 * signals `ends` has come. One thread calls this again and again.
 */
bool visitors_watch(void);

/* ---- callbacks of libmicrohttpd, and functions for its thread ---- */

/* Refuses a connection of a network that has too many. */
enum MHD_Result visitor_accept(void *context, const struct sockaddr *address, socklen_t size);

/* libmicrohttpd calls this when a connection begins or ends. */
void visitor_changed(void *context, struct MHD_Connection *connection, void **of_connection,
                     enum MHD_ConnectionNotificationCode code);

/*
 * Call when the head of a request has arrived. Returns after how many seconds the client may make
 * this request; 0: now.
 */
int visitor_begin(struct MHD_Connection *connection);

/* Returns false if the client's network has too many requests, or too many heavy ones. */
bool visitor_may_ask(struct MHD_Connection *connection, bool is_heavy);

/* Returns false if too many uploads with this token are under way. */
bool visitor_may_upload(struct MHD_Connection *connection, const char *token_sha256);

/*
 * Records what the connection waits for from now on. `bytes` is the size of what the client takes
 * (VISITOR_TAKES).
 */
void visitor_wait(struct MHD_Connection *connection, enum visitor_state state, uint64_t bytes);

/* Records that a part of the body has arrived. */
void visitor_sent(struct MHD_Connection *connection, uint64_t bytes);

#endif
