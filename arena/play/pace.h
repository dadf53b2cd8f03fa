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

/*
 * What a bot is charged for one request: the time up to the last moment at which the arena knows
 * that no reply had arrived. The rest, until the arena received the reply, is the arena's own delay
 * and is not charged. Pure arithmetic on microseconds.
 */

/* Moments are on the monotonic clock. */
struct charge {
    int64_t asked_us;  /* when the first byte of the request was written, plus waited_us; 0 before
                          that */
    int64_t waited_us; /* time that the bot waited for the arena to write the rest of the request */
    int64_t looked_us; /* when the arena last checked and found no complete reply */
    int64_t used_us;   /* time charged for the reply */
    int64_t delay_us;  /* the arena's own delay */
};

/* How the reply was found. */
enum charge_seen {
    CHARGE_POLLED = 0, /* reported by the loop's last poll */
    CHARGE_READ = 1,   /* found by a read after a poll that did not report it */
};

/* The arena starts to write the request. */
void charge_begin(struct charge *charge, int64_t now_us);

/* The arena checked just now and found no complete reply. */
void charge_look(struct charge *charge, int64_t now_us);

/* The arena can now write the rest of a request that did not fit at once. */
void charge_wait(struct charge *charge, const struct pace *pace, int64_t now_us);

/*
 * Sets used_us and delay_us for a reply received at now_us, or a fault found then, other than
 * lateness.
 */
void charge_settle(struct charge *charge, const struct pace *pace, enum charge_seen seen,
                   int64_t now_us);

/* Sets used_us and delay_us if no reply came within limit_us, as the arena found at now_us. */
void charge_settle_late(struct charge *charge, int64_t limit_us, int64_t now_us);

#endif
