/*
 * When the event loop polled, and whether the poll slept: what bots are charged by. A poll that
 * slept was woken by what it brings, so that happened just then. A poll that did not sleep found
 * it waiting: it happened at some time since the poll before, which did not find it, and the
 * arena was busy all that time.
 */
#ifndef ARENA_PLAY_PACE_H
#define ARENA_PLAY_PACE_H

#include <ev.h>
#include <stdbool.h>
#include <stdint.h>

enum pace_limits {
    PACE_LOOKS = 16, /* looks at answers that are there at once, before others get their turn */
};

/* Moments are of the monotonic clock. */
struct pace {
    ev_prepare prepare;
    ev_check check;
    int64_t woke_us;         /* the end of the last poll */
    int64_t woke_before_us;  /* the end of the poll before it */
    bool slept;              /* the last poll waited for what it brought */
    int64_t (*now_fn)(void); /* tells the time: alarm_now_us, or a test's */
    int look_count;          /* since the last poll: counted by who looks */

    /* Between prepare and check. */
    int64_t ready_us; /* nothing was left to do but to poll */
    bool was_busy;    /* long enough for the next line to be worth its cost */
    long sleep_count; /* how often this thread had slept by then */
};

void pace_start(struct pace *pace, struct ev_loop *loop);
void pace_stop(struct pace *pace, struct ev_loop *loop);

/* Until when nothing had happened of what the last poll brought, as far as the arena knows. */
int64_t pace_quiet_us(const struct pace *pace);

#endif
