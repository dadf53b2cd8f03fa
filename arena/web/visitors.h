/*
 * The clients of the web process: limits how many requests an address may make, and closes
 * connections that do not send the head of a request in time.
 */
#ifndef ARENA_WEB_VISITORS_H
#define ARENA_WEB_VISITORS_H

#include <microhttpd.h>
#include <stdbool.h>

enum visitor_limits {
    VISITORS_MAX = 1024,
    VISITORS_A_HOST =
        64, /* maximum number of connections from one address, unless a proxy is in front */
    VISITOR_HEAD_S = 10,       /* time limit for the head of a request */
    VISITOR_RATE_S = 50,       /* maximum mean number of requests a second from one address */
    VISITOR_RATE_BURST = 1000, /* maximum number of requests at once from one address */
};

/*
 * Says whether clients come through a proxy on this machine. The proxy names the client in the
 * header X-Forwarded-For.
 */
void visitors_have_proxy(bool has_proxy);

/*
 * Counts a request. Returns after how many seconds the client may make the request; 0: now. Only
 * libmicrohttpd's thread calls this.
 */
int visitors_early_s(struct MHD_Connection *connection);

/* libmicrohttpd calls this when a connection begins or ends. */
void visitors_changed(void *context, struct MHD_Connection *connection, void **of_connection,
                      enum MHD_ConnectionNotificationCode code);

/* Records that a request of the connection has begun or has ended. */
void visitors_serve(struct MHD_Connection *connection, bool begins);

/* Closes connections that have not sent the head of a request in time. */
void visitors_close_slow(void);

/* Returns the number of open connections. */
int visitors_count(void);

#endif
