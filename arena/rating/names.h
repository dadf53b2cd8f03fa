/*
 * Texts to numbers: each new text gets the next number, from 0. Keeps pointers to
 * the texts, which stay the caller's and must outlive the table.
 */
#ifndef ARENA_RATING_NAMES_H
#define ARENA_RATING_NAMES_H

#include <stddef.h>
#include <stdint.h>

struct names_text {
    const char *bytes; /* not terminated */
    uint32_t size;
};

struct names_slot {
    uint32_t hash;
    uint32_t number_plus_one; /* 0 in an empty slot */
};

struct names {
    struct names_text *texts; /* by number */
    uint32_t count;
    uint32_t slot_count; /* a power of two, at least twice the texts */
    struct names_slot *slots;
};

/* An empty table. Returns 0 or -ENOMEM, with nothing to free then. */
int names_init(struct names *names);

/* Frees the table, not the texts. A zeroed one is fine. */
void names_finish(struct names *names);

/* The number of a text, a new one if it was not there, or -ENOMEM. */
int64_t names_number(struct names *names, const char *bytes, uint32_t size);

#endif
