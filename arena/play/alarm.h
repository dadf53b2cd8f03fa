/* SPDX-License-Identifier: MIT */
/*
 * One absolute deadline on the monotonic clock, exact to microseconds; libev's own timers round to
 * milliseconds, which would change how much time bots are charged. Moving a deadline to a later
 * time costs no system call: the timer fires at the earlier time, and the alarm then sets the timer
 * again.
 */
#ifndef ARENA_PLAY_ALARM_H
#define ARENA_PLAY_ALARM_H

#include <stdbool.h>
#include <stdint.h>

#include "arena/play/watch.h"

struct alarm {
    struct watch watch;  /* watches a timerfd */
    int64_t deadline_us; /* the deadline; 0: none */
    int64_t armed_us;    /* moment at which the timerfd fires; 0: never */
    void (*due_fn)(struct alarm *alarm);
    void *owner;
};

/*
 * Opens an alarm on the loop. The loop calls due_fn once for each alarm_set, unless another
 * alarm_set or alarm_clear came before the deadline. Returns 0 or -errno.
 */
int alarm_open(struct alarm *alarm, struct ev_loop *loop, void (*due_fn)(struct alarm *alarm),
               void *owner);

/* Closes an alarm. Accepts a zeroed alarm. */
void alarm_close(struct alarm *alarm, struct ev_loop *loop);

/* Sets the deadline; replaces an earlier deadline. */
void alarm_set(struct alarm *alarm, int64_t deadline_us);

/*
 * Calls due_fn if the deadline is at or before now_us. Only tests that control the time need this
 * function: on a loop, the alarm rings by itself.
 */
void alarm_ring(struct alarm *alarm, int64_t now_us);

/* Removes the deadline. */
void alarm_clear(struct alarm *alarm);

#endif
