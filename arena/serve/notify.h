/*
 * Reports the daemon's state to the service manager: sends sd_notify's datagram to $NOTIFY_SOCKET.
 * Does nothing if that is not set.
 */
#ifndef ARENA_SERVE_NOTIFY_H
#define ARENA_SERVE_NOTIFY_H

#include <stdint.h>

/* Sends "READY=1", "STATUS=...", "STOPPING=1" or "WATCHDOG=1"; failures are ignored. */
void notify_send(const char *text);

/* Returns the interval for WATCHDOG=1, from $WATCHDOG_USEC; 0: never. */
int64_t notify_watchdog_us(void);

#endif
