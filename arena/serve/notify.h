/*
 * Tells the service manager how the daemon stands: sd_notify's datagram to $NOTIFY_SOCKET. Without
 * one every call does nothing.
 */
#ifndef ARENA_SERVE_NOTIFY_H
#define ARENA_SERVE_NOTIFY_H

#include <stdint.h>

/* "READY=1", "STATUS=...", "STOPPING=1", "WATCHDOG=1"; what cannot be sent is lost. */
void notify_send(const char *text);

/* How often WATCHDOG=1 is to be sent, by $WATCHDOG_USEC; 0: never. */
int64_t notify_watchdog_us(void);

#endif
