/*
 * A bot's clock: how long a decision may take, and how much time is left in the bot's bank. Pure
 * arithmetic on microseconds; never reads the time.
 */
#ifndef ARENA_PLAY_CLOCK_H
#define ARENA_PLAY_CLOCK_H

#include <stdint.h>

#include "sdk/wire.h"

enum clock_limits {
    CLOCK_MS_MAX = 1000 * 60 * 60 * 24, /* maximum of each part of a clock: a day */
};

/* The clock of a match whose terms set no clock. */
#define CLOCK_DEFAULT                                                                              \
    ((struct wire_clock){.turn_ms = 1000, .bank_ms = 10000, .gain_ms = 0, .start_ms = 5000})

/*
 * Reads "turn=MS,bank=MS,gain=MS,start=MS", with parts in any order; a part that is missing keeps
 * its value in *clock. Returns NULL; or a static line that says what is wrong, with *clock
 * unchanged.
 */
const char *clock_parse(const char *text, struct wire_clock *clock);

/* Returns the bank at the start of a match, in microseconds. */
int64_t clock_bank_us(const struct wire_clock *clock);

/* Returns how long a decision may take if bank_us is left in the bank, in microseconds. */
int64_t clock_limit_us(const struct wire_clock *clock, int64_t bank_us);

/* Returns the bank after an answer that took used_us, with the gain added, in microseconds. */
int64_t clock_spend(const struct wire_clock *clock, int64_t bank_us, int64_t used_us);

#endif
