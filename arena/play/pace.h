/*
 * Records when the event loop polled and whether the poll slept; this decides what bots are
 * charged. If a poll slept, its event happened just when it woke; the thread may then have had to
 * wait for a processor, which is not the bot's time. If a poll did not sleep, the
 * event had already happened, at some time since the previous poll, which did not report it; the
 * arena was busy for all of that time.
 */
#ifndef ARENA_PLAY_PACE_H
#define ARENA_PLAY_PACE_H

#include <ev.h>
#include <stdbool.h>
#include <stdint.h>

enum pace_limits {
    PACE_LOOKS = 16, /* reads of answers that arrive at once, before other watchers run */
};

/* Moments are on the monotonic clock. */
struct pace {
    ev_prepare prepare;
    ev_check check;
    int64_t woke_us;         /* end of the last poll */
    int64_t called_us;       /* if it slept, when it was woken: before it had a processor again */
    int64_t woke_before_us;  /* end of the poll before it */
    bool slept;              /* the last poll waited for its event */
    int64_t (*now_fn)(void); /* returns the time: alarm_now_us, or a test's */
    int look_count;          /* reads since the last poll: counted by the reader */
    int schedstat_fd;        /* how long this thread waited for a processor; or -1 */
    int64_t queued_us;       /* that, when it was last read */

    /* Between prepare and check. */
    int64_t ready_us; /* when only the poll was left to do */
    bool was_busy;    /* for so long that reading sleep_count is worth its cost */
    long sleep_count; /* how often this thread had slept until then */
};

/* Call it in the thread that runs the loop. */
void pace_start(struct pace *pace, struct ev_loop *loop);
void pace_stop(struct pace *pace, struct ev_loop *loop);

/*
 * Returns the last moment at which, for all the arena knows, no event of the last poll had
 * happened.
 */
int64_t pace_quiet_us(const struct pace *pace);

#endif
