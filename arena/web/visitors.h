/*
 * Whoever connects to the web process: how many requests an address may make, and which
 * connections are closed because they do not send the head of a request.
 */
#ifndef ARENA_WEB_VISITORS_H
#define ARENA_WEB_VISITORS_H

#include <microhttpd.h>
#include <stdbool.h>

enum visitor_limits {
    VISITORS_MAX = 1024,
    VISITORS_A_HOST = 64,      /* connections of one address, unless a proxy is in front */
    VISITOR_HEAD_S = 10,       /* time for the head of a request */
    VISITOR_RATE_S = 50,       /* requests a second of one address, on average ... */
    VISITOR_RATE_BURST = 1000, /* ... and at once */
};

/* Behind a proxy of this machine the proxy names the client, in X-Forwarded-For. */
void visitors_have_proxy(bool has_proxy);

/*
 * Counts a request. Returns after how many seconds the client may make it; 0: at once. Only
 * libmicrohttpd's thread calls this.
 */
int visitors_early_s(struct MHD_Connection *connection);

/* libmicrohttpd's notification of connections that begin and end. */
void visitors_changed(void *context, struct MHD_Connection *connection, void **of_connection,
                      enum MHD_ConnectionNotificationCode code);

/* A request of the connection has begun, or has ended. */
void visitors_serve(struct MHD_Connection *connection, bool begins);

/* Closes connections that have not sent the head of a request in time. */
void visitors_close_slow(void);

/* Returns the number of open connections. */
int visitors_count(void);

#endif
