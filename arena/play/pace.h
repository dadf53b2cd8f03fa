/*
 * Records when the event loop polled and whether the poll slept, which decides how much time bots
 * are charged. If a poll slept, its event happened just when the poll woke; the thread may then
 * have waited for a processor, and the bot is not charged for that wait. If a poll did not sleep,
 * its event had already happened: at some moment since the previous poll, which did not report the
 * event. The arena was busy for all of that time.
 */
#ifndef ARENA_PLAY_PACE_H
#define ARENA_PLAY_PACE_H

#include <ev.h>
#include <stdbool.h>
#include <stdint.h>

enum pace_limits {
    PACE_LOOKS = 16, /* number of reads between two polls for answers that arrive at once */
};

/* All moments are on the monotonic clock, in microseconds. */
struct pace {
    ev_prepare prepare;
    ev_check check;
    int64_t woke_us;         /* end of the last poll */
    int64_t called_us;       /* when an event woke the last poll, if that slept; at most woke_us */
    int64_t woke_before_us;  /* end of the poll before the last */
    bool slept;              /* the last poll waited for its event */
    int64_t (*now_fn)(void); /* returns the time: alarm_now_us, or a function of a test */
    int look_count;    /* number of reads since the last poll, at most PACE_LOOKS; bots count */
    int schedstat_fd;  /* file that says how long this thread waited for a processor; or -1 */
    int64_t queued_us; /* time waited for a processor at the last reading of schedstat_fd */

    /* Set before a poll, for the check after the poll. */
    int64_t ready_us; /* moment just before the poll */
    bool was_busy;    /* the loop was busy for so long that reading sleep_count is worth the cost */
    long sleep_count; /* number of times that this thread had slept before the poll */
};

/* Starts recording. Called in the thread that runs the loop. */
void pace_start(struct pace *pace, struct ev_loop *loop);
void pace_stop(struct pace *pace, struct ev_loop *loop);

/* Returns the last moment at which the arena knows that no event of the last poll had happened. */
int64_t pace_quiet_us(const struct pace *pace);

/*
 * The time that a bot is charged for one request: up to the last moment at which the arena knows
 * that no reply had arrived. The time from that moment until the arena received the reply is the
 * arena's own delay, and not charged. Pure arithmetic on microseconds.
 */

/* All moments are on the monotonic clock, in microseconds. */
struct charge {
    int64_t asked_us;  /* when the arena began to write the request, plus waited_us; 0: not yet */
    int64_t waited_us; /* time that the bot waited for the arena to write the rest of the request */
    int64_t looked_us; /* when the arena last checked and found no complete reply */
    int64_t used_us;   /* time charged for the reply */
    int64_t delay_us;  /* the arena's own delay, which is not charged */
};

/* How the arena found the reply. */
enum charge_seen {
    CHARGE_POLLED = 0, /* the loop's last poll reported the reply */
    CHARGE_READ = 1,   /* the last poll did not report the reply, but a later read found it */
};

/* Called when the arena starts to write the request. */
void charge_begin(struct charge *charge, int64_t now_us);

/* Called when the arena has just read and found no complete reply. */
void charge_look(struct charge *charge, int64_t now_us);

/* Called when the arena can write the rest of a request that did not fit into the pipe at once. */
void charge_wait(struct charge *charge, const struct pace *pace, int64_t now_us);

/* Sets used_us and delay_us. The arena found a reply, or a fault other than lateness, at now_us. */
void charge_settle(struct charge *charge, const struct pace *pace, enum charge_seen seen,
                   int64_t now_us);

/* Sets used_us and delay_us if the arena found at now_us that no reply came within limit_us. */
void charge_settle_late(struct charge *charge, int64_t limit_us, int64_t now_us);

#endif
