/* SPDX-License-Identifier: MIT */
#include "arena/base/clock.h"

#include <time.h>

static int64_t read_us(clockid_t clock)
{
    struct timespec now;

    clock_gettime(clock, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

int64_t clock_now_us(void)
{
    return read_us(CLOCK_MONOTONIC);
}

int64_t clock_time_us(void)
{
    return read_us(CLOCK_REALTIME);
}

int64_t clock_thread_us(void)
{
    return read_us(CLOCK_THREAD_CPUTIME_ID);
}

void clock_write_time(int64_t us, char text[static CLOCK_TIME_BYTES])
{
    const time_t seconds = (time_t)(us / 1000000);
    struct tm utc;

    if (!gmtime_r(&seconds, &utc) || !strftime(text, CLOCK_TIME_BYTES, "%Y-%m-%dT%H:%M:%SZ", &utc))
        text[0] = '\0';
}
