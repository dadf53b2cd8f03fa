/* SPDX-License-Identifier: MIT */
/*
 * Decides how long the bot thinks: as long as the match's clock allows, less a reserve for moments
 * in which the machine runs other processes. Pure: times are arguments.
 */
#ifndef BOTS_MAESTRO_PACING_H
#define BOTS_MAESTRO_PACING_H

#include <stdint.h>

#include "sdk/wire.h"

/* Measurements of this machine. A zeroed struct has no measurement yet. */
struct pacing {
    int lost_permille; /* share of recent thinking time lost to other processes */
    int64_t stall_us;  /* longest recent time in which the bot did not have its core */
    int64_t calm_us;   /* thinking time since the last stall */
};

/* Returns how long to think about one decision, in microseconds; at least 0. */
int64_t pacing_think_us(const struct pacing *pacing, const struct wire_clock *clock,
                        int64_t bank_ms);

/*
 * Records a decision that took wall_us of real time and processor_us of processor time. stall_us is
 * the longest time between two readings of the clock during the decision.
 */
void pacing_learn(struct pacing *pacing, int64_t wall_us, int64_t processor_us, int64_t stall_us);

#endif
