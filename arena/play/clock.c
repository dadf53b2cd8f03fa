#include "arena/play/clock.h"

#include <string.h>

/*
 * Parses a number of milliseconds, which ends at a comma or at the end of the text. Returns -1 if
 * the text is invalid.
 */
static int64_t parse_ms(const char **text)
{
    int64_t ms = 0;
    const char *digit = *text;

    for (; *digit >= '0' && *digit <= '9'; digit++) {
        ms = ms * 10 + (*digit - '0');
        if (ms > CLOCK_MS_MAX)
            return -1;
    }
    if (digit == *text || (*digit && *digit != ','))
        return -1;
    *text = digit;
    return ms;
}

/* Returns the part of the clock that has this name, or NULL if no part has it. */
static int64_t *find_part(struct wire_clock *clock, const char *name, size_t size)
{
    struct {
        const char *name;
        int64_t *ms;
    } parts[] = {{"turn", &clock->turn_ms},
                 {"bank", &clock->bank_ms},
                 {"gain", &clock->gain_ms},
                 {"start", &clock->start_ms}};

    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (strlen(parts[i].name) == size && memcmp(parts[i].name, name, size) == 0)
            return parts[i].ms;
    return NULL;
}

const char *clock_parse(const char *text, struct wire_clock *clock)
{
    struct wire_clock read = *clock;
    bool more = true;

    while (more) {
        size_t size = strcspn(text, "=,");
        int64_t *part = find_part(&read, text, size);

        if (!part || text[size] != '=')
            return "write a clock as turn=MS,bank=MS,gain=MS,start=MS";
        text += size + 1;
        *part = parse_ms(&text);
        if (*part < 0)
            return "each part of a clock is a whole number of milliseconds, at most 86400000";
        more = *text == ',';
        text += more;
    }
    if (read.turn_ms == 0 && read.bank_ms == 0)
        return "turn and bank are both 0, so that no bot could answer in time: give one of them "
               "time";
    if (read.start_ms == 0)
        return "start is 0, so that no bot could be ready in time: give start at least 1 ms";
    *clock = read;
    return NULL;
}

int64_t clock_bank_us(const struct wire_clock *clock)
{
    return clock->bank_ms * 1000;
}

int64_t clock_limit_us(const struct wire_clock *clock, int64_t bank_us)
{
    return clock->turn_ms * 1000 + bank_us;
}

int64_t clock_spend(const struct wire_clock *clock, int64_t bank_us, int64_t used_us)
{
    int64_t beyond_us = used_us - clock->turn_ms * 1000;

    if (beyond_us > 0)
        bank_us = beyond_us < bank_us ? bank_us - beyond_us : 0;
    return bank_us + clock->gain_ms * 1000;
}
