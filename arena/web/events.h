/*
 * Sends the live games as server-sent events. Each listener gets the newest event, and misses
 * events that came while its connection was too slow.
 */
#ifndef ARENA_WEB_EVENTS_H
#define ARENA_WEB_EVENTS_H

#include <microhttpd.h>

/* Starts the thread that asks the desk for the live games while any connection listens. */
int events_start(void);

/* Sends all further events to a connection. */
enum MHD_Result events_send(struct MHD_Connection *connection);

/* Returns how many connections listen. */
int events_listeners(void);

#endif
