/*
 * Decides how long to think: what the clock allows, less a reserve for times when the machine runs
 * something else. Pure: times are numbers.
 */
#ifndef BOTS_MAESTRO_PACING_H
#define BOTS_MAESTRO_PACING_H

#include <stdint.h>

#include "sdk/wire.h"

/* Timings of this machine so far. Zeroed: none yet. */
struct pacing {
    int lost_permille; /* share of thinking time recently lost to other processes */
    int64_t stall_us;  /* longest recent time without the core */
    int64_t calm_us;   /* thinking time since the last stall */
};

/* Returns how long to think about one decision, in microseconds; at least 0. */
int64_t pacing_think_us(const struct pacing *pacing, const struct wire_clock *clock,
                        int64_t bank_ms);

/*
 * Records a decision that took wall_us, of which the bot ran for processor_us. stall_us is the
 * longest time between two looks at the clock, from the request to the end of thinking.
 */
void pacing_learn(struct pacing *pacing, int64_t wall_us, int64_t processor_us, int64_t stall_us);

#endif
