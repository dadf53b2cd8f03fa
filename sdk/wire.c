#include "sdk/wire.h"

#include <string.h>

#include "sdk/wire_read.h"

const char *const wire_reason_names[WIRE_REASON_COUNT] = {
    [WIRE_PLAYED] = "played",   [WIRE_START] = "start",         [WIRE_TIMEOUT] = "timeout",
    [WIRE_ILLEGAL] = "illegal", [WIRE_BAD] = "protocol",        [WIRE_EXIT] = "exit",
    [WIRE_CRASH] = "crash",     [WIRE_FORBIDDEN] = "forbidden", [WIRE_MEMORY] = "memory",
    [WIRE_CPU] = "cpu",
};

const char *wire_reason_name(enum wire_reason reason)
{
    return wire_reason_names[reason];
}

int wire_reason_from_name(const char *name)
{
    for (int i = 0; i < WIRE_REASON_COUNT; i++)
        if (strcmp(name, wire_reason_names[i]) == 0)
            return i;
    return -1;
}
