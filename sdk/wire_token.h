/*
 * MessagePack tokens: the kind and size of a value according to its first byte. For wire_scan,
 * wire_unpack_... and printing. Source: the table of formats in the MessagePack specification.
 */
#ifndef SDK_WIRE_TOKEN_H
#define SDK_WIRE_TOKEN_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/public.h"

PUBLIC_BEGIN

enum token_kind {
    TOKEN_INTEGER, /* an integer of any sign and width */
    TOKEN_NIL,
    TOKEN_BOOL,
    TOKEN_FLOAT,
    TOKEN_STRING,
    TOKEN_BINARY,
    TOKEN_EXTENSION, /* including timestamps */
    TOKEN_ARRAY,
    TOKEN_MAP,
    TOKEN_RESERVED, /* the byte 0xc1, which is never valid */
};

/* A value consists of its first byte, the bytes of its count if it has one, and its body. */
struct token_shape {
    uint8_t kind;        /* enum token_kind */
    uint8_t count_bytes; /* size of the big-endian count after the first byte: 0, 1, 2 or 4 */
    uint8_t body_bytes;  /* fixed size of the body */
    uint8_t values;      /* number of values in an array or map without a count */
};

/* The shape of a value, by its first byte. */
extern const struct token_shape token_shapes[256];

/* True for an integer that is encoded in one byte: -32..127. */
static inline bool token_is_small(uint8_t first)
{
    return (int8_t)first >= -32;
}

/* True for a string of up to 31 bytes, whose length is in the low five bits of the first byte. */
static inline bool token_is_short_string(uint8_t first)
{
    return (first & 0xe0) == 0xa0;
}

/* Returns the big-endian number in the first count_bytes bytes, or 0 if count_bytes is 0. */
static inline uint32_t token_count(const uint8_t *bytes, int count_bytes)
{
    uint32_t count = 0;

    for (int i = 0; i < count_bytes; i++)
        count = count << 8 | bytes[i];
    return count;
}

PUBLIC_END

#endif
