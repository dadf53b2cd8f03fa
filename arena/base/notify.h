/* SPDX-License-Identifier: MIT */
/*
 * Tells the service manager that started this process how the process is doing, as sd_notify of
 * systemd does. Without a service manager, nothing happens.
 */
#ifndef ARENA_BASE_NOTIFY_H
#define ARENA_BASE_NOTIFY_H

#include <stdint.h>

/* Sends lines such as "READY=1". Never waits. */
void notify_send(const char *text);

/*
 * To be called every second by a loop that works: tells the manager's watchdog in time that the
 * process is alive, with its state in words. *sent_us is when this was last told; 0 at first.
 */
void notify_alive(int64_t *sent_us, const char *words);

#endif
