/*
 * One absolute deadline on the monotonic clock, exact to microseconds (libev's own
 * timers round to milliseconds, and a bot may not gain or lose one by that). Moving a
 * deadline later costs no system call: the timer goes off, sees that, and goes on.
 */
#ifndef ARENA_PLAY_ALARM_H
#define ARENA_PLAY_ALARM_H

#include <ev.h>
#include <stdbool.h>
#include <stdint.h>

struct alarm {
    ev_io watch;         /* on a timerfd */
    int64_t deadline_us; /* 0: none */
    int64_t armed_us;    /* when the timerfd goes off, 0: never */
    void (*due_fn)(struct alarm *alarm);
    void *owner;
};

/* Now, on the monotonic clock. */
int64_t alarm_now_us(void);

/* due_fn is called once for each alarm_set that was not replaced or taken back.
   Returns 0 or -errno. */
int alarm_open(struct alarm *alarm, struct ev_loop *loop, void (*due_fn)(struct alarm *alarm),
               void *owner);

/* Takes a zeroed one. */
void alarm_close(struct alarm *alarm, struct ev_loop *loop);

/* Replaces whatever deadline was set. */
void alarm_set(struct alarm *alarm, int64_t deadline_us);

/* It is now_us: calls due_fn if the deadline has come. The loop does so by itself; for a test
   that tells the time. */
void alarm_ring(struct alarm *alarm, int64_t now_us);

/* Takes the deadline back. */
void alarm_clear(struct alarm *alarm);

#endif
