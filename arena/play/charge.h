/*
 * What a bot is charged for one request: the time up to the last moment at which the arena knows
 * that no reply had arrived. The rest, until the arena received the reply, is the arena's own delay
 * and is not charged. Pure arithmetic on microseconds.
 */
#ifndef ARENA_PLAY_CHARGE_H
#define ARENA_PLAY_CHARGE_H

#include "arena/play/pace.h"

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
