#include "sdk/wire.h"

#include "sdk/wire_token.h"

#define TOKEN(kind, count_bytes, body_bytes)                                                       \
    {                                                                                              \
        TOKEN_##kind, count_bytes, body_bytes, 0                                                   \
    }
#define FIXMAP(pairs)    [0x80 + (pairs)] = {TOKEN_MAP, 0, 0, 2 * (pairs)}
#define FIXARRAY(values) [0x90 + (values)] = {TOKEN_ARRAY, 0, 0, values}
#define FIXSTRING(bytes) [0xa0 + (bytes)] = {TOKEN_STRING, 0, bytes, 0}
#define SIXTEEN(macro, from)                                                                       \
    macro((from) + 0), macro((from) + 1), macro((from) + 2), macro((from) + 3), macro((from) + 4), \
        macro((from) + 5), macro((from) + 6), macro((from) + 7), macro((from) + 8),                \
        macro((from) + 9), macro((from) + 10), macro((from) + 11), macro((from) + 12),             \
        macro((from) + 13), macro((from) + 14), macro((from) + 15)

/* Integers of one byte have no entry, because their shape is all zeroes. */
const struct token_shape token_shapes[256] = {
    SIXTEEN(FIXMAP, 0),
    SIXTEEN(FIXARRAY, 0),
    SIXTEEN(FIXSTRING, 0),
    SIXTEEN(FIXSTRING, 16),
    [0xc0] = TOKEN(NIL, 0, 0),
    [0xc1] = TOKEN(RESERVED, 0, 0),
    [0xc2] = TOKEN(BOOL, 0, 0),
    [0xc3] = TOKEN(BOOL, 0, 0),
    [0xc4] = TOKEN(BINARY, 1, 0),
    [0xc5] = TOKEN(BINARY, 2, 0),
    [0xc6] = TOKEN(BINARY, 4, 0),
    [0xc7] = TOKEN(EXTENSION, 1, 1), /* body of 1 byte: the extension's type */
    [0xc8] = TOKEN(EXTENSION, 2, 1),
    [0xc9] = TOKEN(EXTENSION, 4, 1),
    [0xca] = TOKEN(FLOAT, 0, 4),
    [0xcb] = TOKEN(FLOAT, 0, 8),
    [0xcc] = TOKEN(INTEGER, 0, 1),
    [0xcd] = TOKEN(INTEGER, 0, 2),
    [0xce] = TOKEN(INTEGER, 0, 4),
    [0xcf] = TOKEN(INTEGER, 0, 8),
    [0xd0] = TOKEN(INTEGER, 0, 1),
    [0xd1] = TOKEN(INTEGER, 0, 2),
    [0xd2] = TOKEN(INTEGER, 0, 4),
    [0xd3] = TOKEN(INTEGER, 0, 8),
    [0xd4] = TOKEN(EXTENSION, 0, 2),
    [0xd5] = TOKEN(EXTENSION, 0, 3),
    [0xd6] = TOKEN(EXTENSION, 0, 5),
    [0xd7] = TOKEN(EXTENSION, 0, 9),
    [0xd8] = TOKEN(EXTENSION, 0, 17),
    [0xd9] = TOKEN(STRING, 1, 0),
    [0xda] = TOKEN(STRING, 2, 0),
    [0xdb] = TOKEN(STRING, 4, 0),
    [0xdc] = TOKEN(ARRAY, 2, 0),
    [0xdd] = TOKEN(ARRAY, 4, 0),
    [0xde] = TOKEN(MAP, 2, 0),
    [0xdf] = TOKEN(MAP, 4, 0),
};

static enum wire_scan_result refuse(struct wire_scan *scan, const char *fault)
{
    scan->fault = fault;
    return WIRE_SCAN_BAD;
}

/*
 * Returns a fault if the first byte of a value already makes the message invalid at this place,
 * else NULL.
 */
static const char *find_fault(const struct wire_scan *scan, const struct token_shape *shape)
{
    bool is_container = shape->kind == TOKEN_ARRAY || shape->kind == TOKEN_MAP;

    if (scan->depth == 0 && shape->kind != TOKEN_MAP)
        return "the message is not a map";
    if (scan->in_map[scan->depth] && scan->left[scan->depth] % 2 == 0 &&
        shape->kind != TOKEN_STRING)
        return "a key is not a string";
    if (shape->kind == TOKEN_RESERVED)
        return "the byte 0xc1 is not valid MessagePack";
    if (is_container && scan->depth == WIRE_DEPTH_MAX)
        return "the message is nested deeper than 8";
    return NULL;
}

/* Leaves the open containers that have no missing values. */
static void leave(struct wire_scan *scan)
{
    while (scan->depth > 0 && scan->left[scan->depth] == 0)
        scan->depth--;
}

/* Counts a value and, if it is an array or map with values, enters that container. */
static void step(struct wire_scan *scan, const struct token_shape *shape, uint32_t values)
{
    if (scan->depth > 0) {
        scan->left[scan->depth]--;
        scan->due--;
    }
    if (values > 0) {
        scan->depth++;
        scan->left[scan->depth] = values;
        scan->in_map[scan->depth] = shape->kind == TOKEN_MAP;
        scan->due += values;
    }
    leave(scan);
}

/*
 * Skips integers of one byte and short strings, which make up most of a message and are always
 * valid. Stops at any other value or at the end of the container. Returns true if it left the
 * container after the container's last value.
 */
static bool skip_plain(struct wire_scan *scan, const uint8_t *bytes, size_t size)
{
    bool in_map = scan->in_map[scan->depth];
    uint32_t left = scan->left[scan->depth];
    uint32_t due = scan->due;
    size_t offset = scan->offset;

    while (left > 0 && offset < size) {
        size_t text_bytes = bytes[offset] & 0x1f;

        if (token_is_small(bytes[offset]) && !(in_map && left % 2 == 0))
            offset++;
        else if (token_is_short_string(bytes[offset]) && size - offset > text_bytes &&
                 offset + text_bytes + due <= WIRE_MESSAGE_BYTES_MAX)
            offset += 1 + text_bytes;
        else
            break;
        left--;
        due--;
    }
    scan->left[scan->depth] = left;
    scan->due = due;
    scan->offset = offset;
    leave(scan);
    return left == 0;
}

/*
 * Sets *token_bytes to the size of a value without the values that it contains, and *values to
 * their number. `left` bytes are available at `first`.
 */
static void measure(const struct token_shape *shape, const uint8_t *first, size_t left,
                    uint64_t *token_bytes, uint64_t *values)
{
    uint64_t count;

    *token_bytes = 1u + shape->count_bytes + shape->body_bytes;
    *values = shape->values;
    if (shape->count_bytes == 0 || left <= shape->count_bytes)
        return; /* the count has not arrived yet: assume 0 */
    count = token_count(first + 1, shape->count_bytes);
    if (shape->kind == TOKEN_MAP)
        *values = 2 * count;
    else if (shape->kind == TOKEN_ARRAY)
        *values = count;
    else
        *token_bytes += count;
}

enum wire_scan_result wire_scan(struct wire_scan *scan, const uint8_t *bytes, size_t size)
{
    if (scan->fault)
        return WIRE_SCAN_BAD;
    for (;;) {
        const struct token_shape *shape;
        uint64_t token_bytes, values, due;
        const char *fault;

        while (scan->depth > 0 && skip_plain(scan, bytes, size))
            continue;
        if (scan->offset > 0 && scan->depth == 0)
            return WIRE_SCAN_COMPLETE;
        if (scan->offset == size)
            return WIRE_SCAN_PARTIAL;
        shape = &token_shapes[bytes[scan->offset]];
        fault = find_fault(scan, shape);
        if (fault)
            return refuse(scan, fault);
        measure(shape, bytes + scan->offset, size - scan->offset, &token_bytes, &values);
        /* Each missing value needs at least one byte, so the message will be at least this long. */
        due = scan->depth > 0 ? scan->due - 1 : 0;
        if (scan->offset + token_bytes + values + due > WIRE_MESSAGE_BYTES_MAX)
            return refuse(scan, "the message is longer than 65536 bytes");
        if (size - scan->offset < token_bytes)
            return WIRE_SCAN_PARTIAL;
        scan->offset += token_bytes;
        step(scan, shape, (uint32_t)values);
    }
}
