/*
 * How long to think: what the clock allows, less a reserve for the times when the machine runs
 * something else. Pure: moments and durations are numbers.
 */
#ifndef BOTS_MAESTRO_PACING_H
#define BOTS_MAESTRO_PACING_H

#include <stdint.h>

#include "sdk/wire.h"

/* What was seen of the machine. A zeroed one has seen nothing. */
struct pacing {
    int lost_permille; /* of the time to think, lost to others lately */
    int64_t stall_us;  /* the longest time without the core lately */
    int64_t calm_us;   /* thought since a stall */
};

/* Microseconds to think about one decision; from 0 on. */
int64_t pacing_think_us(const struct pacing *pacing, const struct wire_clock *clock,
                        int64_t bank_ms);

/* A decision took that long, of which the bot had the core for processor_us. */
void pacing_learn(struct pacing *pacing, int64_t wall_us, int64_t processor_us, int64_t stall_us);

#endif
