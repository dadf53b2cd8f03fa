/*
 * When the event loop slept and woke: what the arena's own delay is measured by. An
 * answer is timed by the moment at which the loop woke for it; how much earlier it could
 * have come, had the arena not been busy, is told beside it.
 */
#ifndef ARENA_PLAY_PACE_H
#define ARENA_PLAY_PACE_H

#include <ev.h>
#include <stdint.h>

enum pace_limits {
    PACE_LOOKS = 16, /* looks at answers that are there at once, before others get their turn */
};

struct pace {
    ev_prepare prepare;
    ev_check check;
    int64_t woke_us;    /* when the loop last woke */
    int64_t slept_us;   /* when it last went to sleep */
    int64_t waiting_us; /* how long an event may have waited for that, at most */
    int look_count;     /* since it woke: counted by who looks */
};

void pace_start(struct pace *pace, struct ev_loop *loop);
void pace_stop(struct pace *pace, struct ev_loop *loop);

/* The arena's delay of an event that is seen at now_us, at most. */
int64_t pace_delay_us(const struct pace *pace, int64_t now_us);

#endif
