/* SPDX-License-Identifier: MIT */
/* The clocks, in microseconds. */
#ifndef ARENA_BASE_CLOCK_H
#define ARENA_BASE_CLOCK_H

#include <stdint.h>

#define CLOCK_DAY_US INT64_C(86400000000) /* a day, in microseconds */

/* Returns the current time of the monotonic clock, which no one sets. */
int64_t clock_now_us(void);

/* Returns the time of day, in microseconds since 1970. */
int64_t clock_time_us(void);

/* Returns the processor time that this thread has used. */
int64_t clock_thread_us(void);

enum {
    CLOCK_TIME_BYTES = 32
};

/* Writes a time of day as RFC 3339 in UTC, such as 2026-12-31T18:00:00Z; "" if no calendar has it.
 */
void clock_write_time(int64_t us, char text[static CLOCK_TIME_BYTES]);

#endif
