/* SPDX-License-Identifier: MIT */
/*
 * Answers "my bot was treated unfairly" from the record of a game: what the bot computed, how long
 * it waited for a processor, what the arena held, and what the machine was like; and whether that
 * proves or refutes the complaint. Only the time that a bot had can be unfair: draws and seats
 * follow from the season's seed and its groups.
 */
#ifndef ARENA_REPORT_EXPLAIN_H
#define ARENA_REPORT_EXPLAIN_H

#include <stdio.h>

#include "arena/season/season.h"

/* What the record of a game says about one seat. Numbers are -1 where they are unknown. */
struct explain_seat {
    enum wire_reason reason;
    bool is_late;         /* the seat is out because an answer was not there by the deadline */
    int64_t us;           /* time that the seat's answers were charged, without a missed one */
    int64_t cpu_us;       /* of these, the time that the bot computed */
    int64_t waited_us;    /* see waited_us in play/table.h */
    int used_percent;     /* share of the time for a turn that its longest answer was charged */
    int64_t limit_us;     /* time limit of the missed request */
    int64_t late_cpu_us;  /* time that the bot computed in it */
    int64_t late_wall_us; /* how long the arena waited for the answer in all */
};

enum explain_verdict {
    EXPLAIN_HAD_TIME = 0,   /* the bot played to the end, and hardly waited for a processor */
    EXPLAIN_SLOWED = 1,     /* it played to the end, but other programs took some of its time */
    EXPLAIN_STAYED = 2,     /* it played to the end; how long it waited is unknown */
    EXPLAIN_COMPUTED = 3,   /* it missed a deadline, for which it computed long enough */
    EXPLAIN_SLEPT = 4,      /* it missed a deadline, neither computing nor waiting */
    EXPLAIN_STARVED = 5,    /* it missed a deadline, without having had its time */
    EXPLAIN_LATE = 6,       /* it missed a deadline; how it spent the time is unknown */
    EXPLAIN_OWN = 7,        /* it is out for what no load can cause */
    EXPLAIN_BEGAN_LATE = 8, /* it was not ready in time, and slept or waited for a disk */
    EXPLAIN_UNHURRIED = 9,  /* as EXPLAIN_SLOWED, but no decision came near its limit */
};

enum {
    /* A share of its time that a bot may wait for a processor without a difference, in percent. */
    EXPLAIN_SHARE = 10,
    /* A share of the time for a turn from which on a decision comes near its limit, in percent. */
    EXPLAIN_HURRIED = 50,
};

enum explain_verdict explain_judge(const struct explain_seat *seat);

/*
 * Writes what the record says of a game, and of one seat, or of all if `seat` is negative. Text
 * lines are wrapped by the caller. Returns 0 or -errno (see store_failure).
 */
int explain_game(FILE *text, struct store *store, const struct season *season,
                 const struct store_game *game, int seat);

#endif
