#include "arena/play/answer.h"

const char *answer_read_ready(const uint8_t *bytes, size_t size, struct wire_ready *ready)
{
    enum wire_type type;
    const char *fault = wire_unpack_type(bytes, size, &type);

    if (fault)
        return fault;
    return type == WIRE_READY ? wire_unpack_ready(bytes, size, ready)
                              : "a message other than ready";
}

const char *answer_read_act(const uint8_t *bytes, size_t size, struct wire_act *act)
{
    enum wire_type type;
    const char *fault = wire_unpack_type(bytes, size, &type);

    if (fault)
        return fault;
    if (type == WIRE_READY)
        return "a second ready";
    return type == WIRE_ACT ? wire_unpack_act(bytes, size, act) : "a message other than act";
}
