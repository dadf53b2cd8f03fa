/*
 * Texts to numbers: each new text gets the next number, from 0. Keeps copies.
 */
#ifndef ARENA_RATING_NAMES_H
#define ARENA_RATING_NAMES_H

#include <stddef.h>
#include <stdint.h>

enum names_limits {
    NAMES_COUNT_MAX = (1 << 29) - 1,
};

/* A text; small, for fresh memory costs more than what is done with it. */
struct names_entry {
    uint32_t end; /* of its bytes, which begin where those of the text before it end */
    uint32_t hash;
};

struct names {
    uint32_t count;
    struct names_entry *entries; /* by number */
    char *bytes;                 /* of all texts, one after another */
    size_t bytes_size, bytes_room;
    uint32_t *slots;     /* number + 1 by hash, 0: empty */
    uint32_t slot_count; /* 0 or a power of two, at least twice count */
};

/* Frees the table. A zeroed one is an empty table, to begin with and afterwards. */
void names_finish(struct names *names);

/* The number of a text, a new one if it was not there, or -ENOMEM. */
int64_t names_number(struct names *names, const char *bytes, size_t size);

/* The text of a number, not terminated; valid until the next one is added. */
const char *names_text(const struct names *names, uint32_t number, size_t *size);

#endif
