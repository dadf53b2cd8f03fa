/* SPDX-License-Identifier: MIT */
#include "sdk/wire.h"

#include <string.h>

#include "engine/notation.h"

/* ---- texts ---- */

/*
 * For each range of UTF-8 lead bytes: the valid range of second bytes (Unicode's table of
 * well-formed byte sequences), and the size of the whole character.
 */
static const struct {
    uint8_t lead_first, lead_last;
    uint8_t second_first,
        second_last; /* valid second bytes; third and fourth bytes are always 0x80..0xbf */
    uint8_t bytes;
} forms[] = {
    {0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3}, {0xe1, 0xec, 0x80, 0xbf, 3},
    {0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3}, {0xf0, 0xf0, 0x90, 0xbf, 4},
    {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4},
};

static const uint8_t replacement[] = {0xef, 0xbf, 0xbd}; /* U+FFFD */

/*
 * Sets *is_whole if the text begins with a valid character, and returns its size. Else returns the
 * number of bytes that one U+FFFD replaces: as Unicode recommends, the longest start of a valid
 * character, at least one byte.
 */
static size_t measure_character(const uint8_t *text, size_t size, bool *is_whole)
{
    size_t form = 0;
    size_t bytes = 1;

    *is_whole = text[0] < 0x80;
    if (*is_whole)
        return 1;
    while (form < sizeof forms / sizeof *forms && text[0] > forms[form].lead_last)
        form++;
    if (form == sizeof forms / sizeof *forms || text[0] < forms[form].lead_first)
        return 1;
    if (size < 2 || text[1] < forms[form].second_first || text[1] > forms[form].second_last)
        return 1;
    for (bytes = 2; bytes < forms[form].bytes; bytes++)
        if (bytes == size || (text[bytes] & 0xc0) != 0x80)
            return bytes;
    *is_whole = true;
    return bytes;
}

/*
 * Returns the largest size, at most `limit`, to which the text can be cut without splitting a
 * character.
 */
static size_t find_cut(const uint8_t *text, size_t size, size_t limit)
{
    for (size_t back = 1; back <= 3 && back <= limit; back++) {
        bool is_whole;

        if (measure_character(text + limit - back, size - limit + back, &is_whole) > back &&
            is_whole)
            return limit - back;
    }
    return limit;
}

bool wire_is_utf8(const char *text, size_t size)
{
    bool is_whole = true;

    for (size_t offset = 0; offset < size && is_whole;)
        offset += measure_character((const uint8_t *)text + offset, size - offset, &is_whole);
    return is_whole;
}

size_t wire_character(const char *text, size_t size, uint32_t *code)
{
    const uint8_t *bytes = (const uint8_t *)text;
    bool is_whole;
    size_t count = measure_character(bytes, size, &is_whole);

    if (!is_whole)
        return 0;
    *code = count == 1 ? bytes[0] : bytes[0] & (0x7fu >> count);
    for (size_t i = 1; i < count; i++)
        *code = *code << 6 | (bytes[i] & 0x3fu);
    return count;
}

size_t wire_repair_text(char target[static WIRE_TEXT_BYTES_MAX], const char *source,
                        size_t source_bytes, size_t limit_bytes)
{
    const uint8_t *text = (const uint8_t *)source;
    size_t target_bytes = 0;

    if (limit_bytes > WIRE_NOTE_BYTES_MAX)
        limit_bytes = WIRE_NOTE_BYTES_MAX;
    if (source_bytes > limit_bytes)
        source_bytes = find_cut(text, source_bytes, limit_bytes);
    for (size_t offset = 0; offset < source_bytes;) {
        bool is_whole;
        size_t bytes = measure_character(text + offset, source_bytes - offset, &is_whole);
        const uint8_t *piece = is_whole ? text + offset : replacement;
        size_t piece_bytes = is_whole ? bytes : sizeof replacement;

        memcpy(target + target_bytes, piece, piece_bytes);
        target_bytes += piece_bytes;
        offset += bytes;
    }
    target[target_bytes] = '\0';
    return target_bytes;
}

/* ---- scanning a stream ---- */

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

/* One-byte integers have no element here, because their shape is all zeroes. */
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
    [0xc7] = TOKEN(EXTENSION, 1, 1), /* one byte of an extension's body is its type */
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

/* Returns what is wrong with a value that may not begin with this byte at this place, or NULL. */
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

/* Closes the open containers that are complete. */
static void leave(struct wire_scan *scan)
{
    while (scan->depth > 0 && scan->left[scan->depth] == 0)
        scan->depth--;
}

/* Counts a value. If it is an array or map with values, opens that container. */
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
        return; /* not all bytes of the count have arrived yet */
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

        if (scan->offset > 0 && scan->depth == 0)
            return WIRE_SCAN_COMPLETE;
        if (scan->offset == size)
            return WIRE_SCAN_PARTIAL;
        shape = &token_shapes[bytes[scan->offset]];
        fault = find_fault(scan, shape);
        if (fault)
            return refuse(scan, fault);
        measure(shape, bytes + scan->offset, size - scan->offset, &token_bytes, &values);
        /*
         * Each value that is still missing has at least one byte: this sum is the message's minimum
         * size.
         */
        due = scan->depth > 0 ? scan->due - 1 : 0;
        if (scan->offset + token_bytes + values + due > WIRE_MESSAGE_BYTES_MAX)
            return refuse(scan, "the message is longer than 65536 bytes");
        if (size - scan->offset < token_bytes)
            return WIRE_SCAN_PARTIAL;
        scan->offset += token_bytes;
        step(scan, shape, (uint32_t)values);
    }
}

/* ---- reading single values ---- */

/*
 * Reads the first byte and count of a value, and skips the body. Returns the value's shape, or NULL
 * if the value is invalid or incomplete.
 */
static const struct token_shape *read_token(struct wire_reader *reader, const uint8_t **body,
                                            uint32_t *count)
{
    const struct token_shape *shape;
    const uint8_t *first = reader->at;
    size_t left = (size_t)(reader->end - first);
    uint64_t bytes;

    if (left == 0) {
        reader->fault = "the message ends too early";
        return NULL;
    }
    shape = &token_shapes[*first];
    bytes = 1u + shape->count_bytes + shape->body_bytes;
    *count = shape->values + shape->body_bytes;
    if (shape->count_bytes > 0 && left > shape->count_bytes) {
        *count = token_count(first + 1, shape->count_bytes);
        if (shape->kind != TOKEN_ARRAY && shape->kind != TOKEN_MAP)
            bytes += *count;
    } else if (shape->kind == TOKEN_MAP) {
        *count /= 2;
    }
    if (bytes > left) {
        reader->fault = "the message ends too early";
        return NULL;
    }
    *body = first + 1 + shape->count_bytes;
    reader->at = first + bytes;
    return shape;
}

const char *wire_read_end(struct wire_reader *reader)
{
    if (!reader->fault && reader->at != reader->end)
        reader->fault = "bytes follow the message";
    return reader->fault;
}

bool wire_read_past(struct wire_reader *reader)
{
    for (uint64_t due = 1; due > 0; due--) {
        const uint8_t *body;
        uint32_t count;
        const struct token_shape *shape = read_token(reader, &body, &count);

        if (!shape)
            return false;
        if (shape->kind == TOKEN_ARRAY)
            due += count;
        else if (shape->kind == TOKEN_MAP)
            due += 2 * (uint64_t)count;
    }
    return true;
}

/*
 * Decodes an integer from its first byte and big-endian body. Returns false if int64_t cannot hold
 * the integer.
 */
static bool decode_integer(const uint8_t *first, const uint8_t *body, uint32_t body_bytes,
                           int64_t *value)
{
    uint64_t bits = 0;

    for (uint32_t i = 0; i < body_bytes; i++)
        bits = bits << 8 | body[i];
    switch (*first) {
    case 0xd0:
        *value = (int8_t)bits;
        return true;
    case 0xd1:
        *value = (int16_t)bits;
        return true;
    case 0xd2:
        *value = (int32_t)bits;
        return true;
    case 0xd3:
        *value = (int64_t)bits;
        return true;
    case 0xcc:
    case 0xcd:
    case 0xce:
    case 0xcf:
        *value = (int64_t)bits;
        return bits <= INT64_MAX;
    default:
        *value = (int8_t)*first;
        return true;
    }
}

bool wire_read_integer(struct wire_reader *reader, int64_t minimum, int64_t maximum, int64_t *value)
{
    const uint8_t *first = reader->at;
    const uint8_t *body;
    uint32_t body_bytes;
    const struct token_shape *shape = read_token(reader, &body, &body_bytes);

    return shape && shape->kind == TOKEN_INTEGER &&
           decode_integer(first, body, body_bytes, value) && *value >= minimum && *value <= maximum;
}

bool wire_read_int(struct wire_reader *reader, int minimum, int maximum, int *value)
{
    int64_t wide;

    if (!wire_read_integer(reader, minimum, maximum, &wide))
        return false;
    *value = (int)wide;
    return true;
}

bool wire_read_bool(struct wire_reader *reader, bool *value)
{
    const uint8_t *first = reader->at;
    const uint8_t *body;
    uint32_t count;
    const struct token_shape *shape = read_token(reader, &body, &count);

    if (!shape || shape->kind != TOKEN_BOOL)
        return false;
    *value = *first == 0xc3;
    return true;
}

bool wire_read_string(struct wire_reader *reader, const char **text, size_t *text_bytes)
{
    const uint8_t *body;
    uint32_t count;
    const struct token_shape *shape = read_token(reader, &body, &count);

    if (!shape || shape->kind != TOKEN_STRING)
        return false;
    *text = (const char *)body;
    *text_bytes = count;
    return true;
}

bool wire_read_text(struct wire_reader *reader, char *target, size_t capacity, size_t limit_bytes)
{
    char repaired[WIRE_TEXT_BYTES_MAX];
    const char *text;
    size_t text_bytes;

    if (!wire_read_string(reader, &text, &text_bytes))
        return false;
    text_bytes = wire_repair_text(repaired, text, text_bytes, limit_bytes);
    if (text_bytes >= capacity) { /* the repaired text is longer than capacity */
        char whole[WIRE_TEXT_BYTES_MAX];

        memcpy(whole, repaired, text_bytes);
        text_bytes = wire_repair_text(repaired, whole, text_bytes, capacity - 1);
    }
    memcpy(target, repaired, text_bytes + 1);
    return true;
}

int wire_read_name(struct wire_reader *reader, const char *const *names, size_t name_count)
{
    const char *text;
    size_t text_bytes;

    if (!wire_read_string(reader, &text, &text_bytes))
        return -2;
    for (size_t i = 0; i < name_count; i++)
        if (names[i] && strlen(names[i]) == text_bytes && memcmp(names[i], text, text_bytes) == 0)
            return (int)i;
    return -1;
}

bool wire_read_array_header(struct wire_reader *reader, uint32_t *count)
{
    const uint8_t *body;
    const struct token_shape *shape = read_token(reader, &body, count);

    return shape && shape->kind == TOKEN_ARRAY;
}

bool wire_read_map_header(struct wire_reader *reader, uint32_t *pairs)
{
    const uint8_t *body;
    const struct token_shape *shape = read_token(reader, &body, pairs);

    return shape && shape->kind == TOKEN_MAP;
}

bool wire_read_int8s(struct wire_reader *reader, int minimum, int maximum, int8_t *numbers,
                     size_t count)
{
    for (size_t i = 0; i < count; i++) {
        int value;

        if (!wire_read_int(reader, minimum, maximum, &value))
            return false;
        numbers[i] = (int8_t)value;
    }
    return true;
}

bool wire_read_counts(struct wire_reader *reader, uint8_t counts[static GAME_COLORS])
{
    uint32_t values;

    if (!wire_read_array_header(reader, &values) || values != GAME_COLORS)
        return false;
    for (int color = 0; color < GAME_COLORS; color++) {
        int value;

        if (!wire_read_int(reader, 0, GAME_TILES, &value))
            return false;
        counts[color] = (uint8_t)value;
    }
    return true;
}

bool wire_read_action(struct wire_reader *reader, struct action *action)
{
    uint32_t count, inner;
    int kind;

    memset(action, 0, sizeof *action);
    if (!wire_read_array_header(reader, &count) || count == 0)
        return false;
    kind = wire_read_name(reader, notation_kinds, ACTION_PASS + 1);
    if (kind < 0)
        return false;
    action->kind = (uint8_t)kind;
    switch ((enum action_kind)kind) {
    case ACTION_DRAFT:
        return count == 3 && wire_read_int8s(reader, INT8_MIN, INT8_MAX, action->number, 2);
    case ACTION_PLACE:
        return count == 5 && wire_read_int8s(reader, INT8_MIN, INT8_MAX, action->number, 4);
    case ACTION_BONUS:
    case ACTION_PASS:
        return count == 2 && wire_read_array_header(reader, &inner) && inner == GAME_COLORS &&
               wire_read_int8s(reader, INT8_MIN, INT8_MAX, action->number, GAME_COLORS);
    }
    return false;
}
