#include "arena/play/tail.h"

#include <string.h>

void tail_add(struct tail *tail, const char *bytes, size_t size)
{
    if (tail->total_bytes < TAIL_HEAD_BYTES) {
        size_t room = (size_t)(TAIL_HEAD_BYTES - tail->total_bytes);
        size_t part = size < room ? size : room;

        memcpy(tail->head + tail->total_bytes, bytes, part);
        tail->total_bytes += part;
        bytes += part;
        size -= part;
    }
    while (size > 0) {
        size_t at = (size_t)((tail->total_bytes - TAIL_HEAD_BYTES) % TAIL_RING_BYTES);
        size_t part = size < TAIL_RING_BYTES - at ? size : TAIL_RING_BYTES - at;

        memcpy(tail->ring + at, bytes, part);
        tail->total_bytes += part;
        bytes += part;
        size -= part;
    }
}

/* Returns the byte at an index of all bytes added; it must still be kept. */
static char byte_at(const struct tail *tail, uint64_t index)
{
    if (index < TAIL_HEAD_BYTES)
        return tail->head[index];
    return tail->ring[(index - TAIL_HEAD_BYTES) % TAIL_RING_BYTES];
}

size_t tail_last(const struct tail *tail, char *bytes, size_t size)
{
    uint64_t lost_until = 0; /* the first byte of the contiguous part that includes the end */
    size_t count;

    if (tail->total_bytes > TAIL_HEAD_BYTES + TAIL_RING_BYTES)
        lost_until = tail->total_bytes - TAIL_RING_BYTES;
    count = tail->total_bytes - lost_until < size ? (size_t)(tail->total_bytes - lost_until) : size;
    for (size_t i = 0; i < count; i++)
        bytes[i] = byte_at(tail, tail->total_bytes - count + i);
    return count;
}

size_t tail_parts(const struct tail *tail, char *bytes, size_t part)
{
    if (tail->total_bytes <= 2 * part)
        return tail_last(tail, bytes, 2 * part);
    memcpy(bytes, tail->head, part);
    return part + tail_last(tail, bytes + part, part);
}
