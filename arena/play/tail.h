/*
 * What a bot wrote to its standard error: all of it if it fits, else its beginning
 * and its end. Bounded, never full, does no I/O.
 */
#ifndef ARENA_PLAY_TAIL_H
#define ARENA_PLAY_TAIL_H

#include <stddef.h>
#include <stdint.h>

enum tail_limits {
    TAIL_HEAD_BYTES = 16384, /* kept from the beginning */
    TAIL_RING_BYTES = 49152, /* kept from the end */
};

/* A zeroed one is empty. */
struct tail {
    uint64_t total_bytes; /* seen */
    char head[TAIL_HEAD_BYTES];
    char ring[TAIL_RING_BYTES];
};

void tail_add(struct tail *tail, const char *bytes, size_t size);

/*
 * Copies the last bytes seen, at most size. Returns how many. Bytes between head and
 * ring are gone, so that fewer than size may come back.
 */
size_t tail_last(const struct tail *tail, char *bytes, size_t size);

/*
 * Copies all that was seen if it is at most 2 * part bytes, else the first part bytes and the
 * last; part is at most TAIL_HEAD_BYTES. Returns how many.
 */
size_t tail_parts(const struct tail *tail, char *bytes, size_t part);

#endif
