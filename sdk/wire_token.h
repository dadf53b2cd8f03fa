/*
 * MessagePack tokens: what the first byte of a value says about the following bytes. For the
 * scanner and the unpacker of the wire, and for printing. Source: the table of formats in the
 * MessagePack specification.
 */
#ifndef SDK_WIRE_TOKEN_H
#define SDK_WIRE_TOKEN_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/public.h"

PUBLIC_BEGIN

enum token_kind {
    TOKEN_INTEGER, /* of any sign and width */
    TOKEN_NIL,
    TOKEN_BOOL,
    TOKEN_FLOAT,
    TOKEN_STRING,
    TOKEN_BINARY,
    TOKEN_EXTENSION, /* including timestamps */
    TOKEN_ARRAY,
    TOKEN_MAP,
    TOKEN_RESERVED, /* 0xc1: never used */
};

/* A value consists of its first byte, the bytes of its count if it has one, and its body. */
struct token_shape {
    uint8_t kind;        /* enum token_kind */
    uint8_t count_bytes; /* 0, 1, 2 or 4: a big-endian count follows the first byte */
    uint8_t body_bytes;  /* fixed size of the body */
    uint8_t values;      /* array and map without count bytes: number of values inside */
};

/* By first byte. */
extern const struct token_shape token_shapes[256];

/* True for an integer in a single byte: -32..127, most of every state. */
static inline bool token_is_small(uint8_t first)
{
    return (int8_t)first >= -32;
}

/* True for a string of up to 31 bytes, whose length is in the low five bits of the first byte. */
static inline bool token_is_short_string(uint8_t first)
{
    return (first & 0xe0) == 0xa0;
}

/* Returns the big-endian count in count_bytes bytes, 0 for none. */
static inline uint32_t token_count(const uint8_t *bytes, int count_bytes)
{
    uint32_t count = 0;

    for (int i = 0; i < count_bytes; i++)
        count = count << 8 | bytes[i];
    return count;
}

PUBLIC_END

#endif
