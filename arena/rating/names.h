/*
 * Texts to numbers: each new text gets the next number, from 0. Keeps copies. Made for
 * reading files: texts that come in ascending order, as ids of games do, are told from
 * all before them without a look-up, and short ones are compared as two words.
 */
#ifndef ARENA_RATING_NAMES_H
#define ARENA_RATING_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum names_limits {
    NAMES_SHORT_MAX = 15,  /* bytes of a text that its key holds whole */
    NAMES_BYTES_MAX = 255, /* of any text */
    NAMES_COUNT_MAX = (1 << 29) - 1,
};

/* What a text is found by: itself and its size, or its hash. */
struct names_key {
    uint64_t low, high;
};

struct names_slot {
    struct names_key key;
    size_t at;                /* where the text begins */
    uint32_t number_plus_one; /* 0 in an empty slot */
};

struct names {
    uint32_t count;
    uint8_t *bytes; /* of all texts in order of number, each behind its size */
    size_t bytes_size, bytes_capacity;
    size_t last;              /* where the last text begins */
    struct names_slot *slots; /* NULL while all came in ascending order */
    uint32_t slot_count;      /* a power of two, at least twice count */
};

/* Frees the table. A zeroed one is an empty table, to begin with and afterwards. */
void names_finish(struct names *names);

/*
 * The number of a text of at most NAMES_BYTES_MAX bytes, a new one if it was not there,
 * or -ENOMEM.
 */
int64_t names_number(struct names *names, const char *bytes, size_t size);

/*
 * Walks the texts in order of number: *at is 0 before the first and moves on. Returns a
 * text, not terminated, valid until the next one is added, or NULL after the last.
 */
const char *names_next(const struct names *names, size_t *at, size_t *size);

/*
 * The size of the text that a comma ends, and its key, if it has 1 to NAMES_SHORT_MAX
 * bytes; else 0. Looks at 16 bytes, which must be there.
 */
static inline size_t names_cut_short(const char *bytes, struct names_key *key);

/* The number of a text with that key, or -1 if it was never looked up or is not there. */
static inline int64_t names_find_short(const struct names *names, struct names_key key);

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "keys hold a text's first byte lowest");

/* Of eight bytes, the first in the lowest place: the top bit of the first comma, 0 if none is. */
static inline uint64_t names_find_comma(uint64_t word)
{
    uint64_t differs = word ^ 0x2c2c2c2c2c2c2c2c;
    uint64_t commas = (differs - 0x0101010101010101) & ~differs & 0x8080808080808080;

    return commas & -commas;
}

/* How many bytes come before the comma whose top bit this is. */
static inline size_t names_size_before(uint64_t comma)
{
    return (size_t)__builtin_ctzll(comma) / 8;
}

static inline size_t names_cut_short(const char *bytes, struct names_key *key)
{
    size_t size;
    uint64_t comma;

    memcpy(&key->low, bytes, 8);
    if ((comma = names_find_comma(key->low)) != 0) {
        size = names_size_before(comma);
        key->low &= (comma >> 7) - 1;
        key->high = 0;
    } else {
        memcpy(&key->high, bytes + 8, 8);
        if ((comma = names_find_comma(key->high)) == 0)
            return 0;
        size = 8 + names_size_before(comma);
        key->high &= (comma >> 7) - 1;
    }
    key->high |= (uint64_t)size << 56;
    return size;
}

static inline uint32_t names_hash(struct names_key key)
{
    return (uint32_t)((key.low + key.high) * 0x9e3779b97f4a7c15 >> 32);
}

static inline int64_t names_find_short(const struct names *names, struct names_key key)
{
    if (!names->slots)
        return -1;
    for (uint32_t at = names_hash(key);; at++) {
        const struct names_slot *slot = &names->slots[at & (names->slot_count - 1)];

        if (slot->key.low == key.low && slot->key.high == key.high)
            return (int64_t)slot->number_plus_one - 1; /* -1 for no text in an empty slot */
        if (slot->number_plus_one == 0)
            return -1;
    }
}

#endif
