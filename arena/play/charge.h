/*
 * What a bot is charged for one request. It is never charged for time in which the arena did not
 * look: only up to the last moment at which the arena knows that no reply was there. The rest, up
 * to when the arena took the reply, is the arena's own delay. Pure arithmetic on microseconds.
 */
#ifndef ARENA_PLAY_CHARGE_H
#define ARENA_PLAY_CHARGE_H

#include "arena/play/pace.h"

/* Moments are of the monotonic clock. */
struct charge {
    int64_t asked_us;  /* when the first byte of the request was written, and later by waited_us;
                          0 before that */
    int64_t waited_us; /* in which the bot waited for the arena to write the rest of the request */
    int64_t looked_us; /* when the arena last looked and found no whole reply */
    int64_t used_us;   /* by the reply */
    int64_t delay_us;  /* the arena's own */
};

/* How something was seen. */
enum charge_seen {
    CHARGE_POLLED = 0, /* the loop's last poll brought it */
    CHARGE_READ = 1,   /* a read since then found it, though that poll had not brought it */
};

/* The request begins to be written. */
void charge_begin(struct charge *charge, int64_t now_us);

/* The arena looked just now and found no whole reply. */
void charge_look(struct charge *charge, int64_t now_us);

/* The rest of a request that did not fit at once could be written, and is being written now. */
void charge_wait(struct charge *charge, const struct pace *pace, int64_t now_us);

/* A reply was taken at now_us, or a fault other than being late found: sets used_us and delay_us.
 */
void charge_settle(struct charge *charge, const struct pace *pace, enum charge_seen seen,
                   int64_t now_us);

/* No reply came within limit_us, which the arena saw at now_us: likewise. */
void charge_settle_late(struct charge *charge, int64_t limit_us, int64_t now_us);

#endif
