/*
 * What a bot wrote to standard error: all of it if it fits, else its beginning and its end. Bounded
 * in size; does no I/O.
 */
#ifndef ARENA_PLAY_TAIL_H
#define ARENA_PLAY_TAIL_H

#include <stddef.h>
#include <stdint.h>

enum tail_limits {
    TAIL_HEAD_BYTES = 16384, /* kept from the beginning */
    TAIL_RING_BYTES = 49152, /* kept from the end */
};

/* Zeroed: empty. */
struct tail {
    uint64_t total_bytes; /* bytes added */
    char head[TAIL_HEAD_BYTES];
    char ring[TAIL_RING_BYTES];
};

void tail_add(struct tail *tail, const char *bytes, size_t size);

/*
 * Copies the last bytes added, at most size. Returns how many: fewer than size if bytes between
 * head and ring are gone.
 */
size_t tail_last(const struct tail *tail, char *bytes, size_t size);

/*
 * Copies everything if it is at most 2 * part bytes, else the first part bytes and the last part
 * bytes; part is at most TAIL_HEAD_BYTES. Returns the number of bytes.
 */
size_t tail_parts(const struct tail *tail, char *bytes, size_t part);

#endif
