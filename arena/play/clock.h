/*
 * A bot's clock: how long a decision may take and what is left of the bank. Pure
 * arithmetic on microseconds; never asks what time it is.
 */
#ifndef ARENA_PLAY_CLOCK_H
#define ARENA_PLAY_CLOCK_H

#include <stdint.h>

#include "sdk/wire.h"

enum clock_limits {
    CLOCK_MS_MAX = 1000 * 60 * 60 * 24, /* no part of a clock is longer than a day */
};

/* The clock of a match that names none. */
#define CLOCK_DEFAULT                                                                              \
    ((struct wire_clock){.turn_ms = 1000, .bank_ms = 10000, .gain_ms = 0, .start_ms = 5000})

/*
 * Reads "turn=MS,bank=MS,gain=MS,start=MS", parts in any order; those left out keep
 * what *clock holds. Returns NULL, or a static line that says what is wrong; *clock
 * is then unchanged.
 */
const char *clock_parse(const char *text, struct wire_clock *clock);

/* The bank that a match begins with, in microseconds. */
int64_t clock_bank_us(const struct wire_clock *clock);

/* How long a decision may take, in microseconds, with that much left in the bank. */
int64_t clock_limit_us(const struct wire_clock *clock, int64_t bank_us);

/* What is left of the bank after an answer that took used_us, the gain included. */
int64_t clock_spend(const struct wire_clock *clock, int64_t bank_us, int64_t used_us);

#endif
