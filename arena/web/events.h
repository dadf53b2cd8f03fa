/*
 * Server-sent events of the web process: the live games. Each listener gets the newest event, and
 * skips those that came while it was too slow.
 */
#ifndef ARENA_WEB_EVENTS_H
#define ARENA_WEB_EVENTS_H

#include <microhttpd.h>

/* Starts the thread that asks the desk for the live games while somebody listens. */
int events_start(void);

/* Sends events to a connection from now on. */
enum MHD_Result events_send(struct MHD_Connection *connection);

/* Returns how many connections listen. */
int events_listeners(void);

#endif
