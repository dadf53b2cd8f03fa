/* SPDX-License-Identifier: MIT */
/*
 * How much time the arena charges a bot for one request: up to the last moment at which the arena
 * knows that no reply had arrived. What passes from then until the arena takes the reply is the
 * arena's own delay. Theory of operation: pace.c.
 */
#ifndef ARENA_PLAY_PACE_H
#define ARENA_PLAY_PACE_H

#include <ev.h>
#include <stdbool.h>
#include <stdint.h>

#include "arena/base/clock.h"

enum pace_limits {
    /* A bot that waits for a processor may take this many times its limit, and this much longer. */
    PACE_PATIENCE = 50,
    PACE_PATIENCE_MS = 10000,
};

/* All moments are on the monotonic clock, in microseconds. */
struct pace {
    ev_prepare prepare;
    ev_check check;
    int64_t woke_us;  /* end of the last poll */
    int64_t quiet_us; /* last moment at which nothing that the last poll reported had happened */
    bool slept;       /* the last poll slept until an event */
    int64_t (*now_fn)(void); /* returns the time: clock_now_us, or a test's clock */
    int schedstat_fd; /* file with the time that this thread has waited for a processor; -1: none */
    int64_t queued_us; /* time that this thread had waited for a processor when pace last read
                          schedstat_fd */

    /* Measured before each poll, for use after the poll. */
    int64_t ready_us; /* moment when the loop called poll(), from which it waited for events */
    bool was_busy;    /* the last poll was so long ago that reading sleep_count is worth its cost */
    long sleep_count; /* number of times that this thread had slept before the poll */
    int stop_count;   /* number of times that the arena had been stopped before the poll */
};

/* Starts recording. Called in the thread that runs the loop. */
void pace_start(struct pace *pace, struct ev_loop *loop);
void pace_stop(struct pace *pace, struct ev_loop *loop);

/* The account of one request to a bot: pure arithmetic on moments. */
struct charge {
    /* When the arena began to write the request, plus waited_us; 0: no request yet. */
    int64_t asked_us;
    int64_t waited_us; /* uncharged time in which the bot waited for the arena */
    int64_t looked_us; /* when the arena last checked and found no complete reply */
    int64_t used_us;   /* time charged for the reply */
    int64_t delay_us;  /* the arena's own delay, which is not charged */
};

/* How the arena found the reply. */
enum charge_seen {
    CHARGE_POLLED = 0, /* the loop's last poll reported the reply */
    CHARGE_READ = 1,   /* the last poll did not report the reply, but a later read found it */
    CHARGE_LOOKED = 2, /* the kernel refused to watch the bot's output; a look found the reply */
};

/* Called when the arena starts to write the request. */
void charge_begin(struct charge *charge, int64_t now_us);

/* Called when the arena has just read and found no complete reply. */
void charge_look(struct charge *charge, int64_t now_us);

/*
 * Called when the arena serves a bot that has waited for it: to read the rest of a request, or with
 * a system call. The wait is not charged.
 */
void charge_wait(struct charge *charge, const struct pace *pace, int64_t now_us);

/* Sets used_us and delay_us, when the arena has found a reply, or a fault other than lateness. */
void charge_settle(struct charge *charge, const struct pace *pace, enum charge_seen seen,
                   int64_t now_us);

/* Sets used_us and delay_us, when the arena has found that no reply came within limit_us. */
void charge_settle_late(struct charge *charge, int64_t limit_us, int64_t now_us);

/*
 * Called after charge_settle: takes the time for which other programs kept the bot from a processor
 * off what the reply is charged, which becomes at least least_us and at most most_us.
 */
void charge_excuse(struct charge *charge, int64_t queued_us, int64_t least_us, int64_t most_us);

/* How a bot spent the time of a request that it did not answer by the deadline. */
enum late_cause {
    LATE_NOT = 0,      /* it missed no deadline */
    LATE_UNKNOWN = 1,  /* its processor time is not known */
    LATE_SLEPT = 2,    /* it neither computed nor was ready to, for most of the time */
    LATE_COMPUTED = 3, /* it computed, but also slept */
    LATE_ENDLESS = 4,  /* it computed whenever it had a processor, up to the deadline */
    LATE_STARVED = 5,  /* it did not have its time, because other programs had the processors */
};

struct late {
    int64_t limit_us;  /* time limit of the request */
    int64_t wall_us;   /* time since the request */
    int64_t cpu_us;    /* processor time of the bot since then; -1: unknown */
    int64_t queued_us; /* time for which others kept the bot from a processor; -1: unknown */
};

/*
 * Judges who is to blame for a missed deadline: the machine, if the bot had less than its limit
 * once its waits for a processor are taken off; else the bot, whatever the waits.
 */
enum late_cause late_judge(const struct late *late);

/*
 * Returns how much longer a bot that is LATE_STARVED may take: what is left of its limit. Returns 0
 * if the bot has had its limit, or if the machine has held it up for longer than the arena waits.
 */
int64_t late_left_us(const struct late *late);

#endif
