#include "sdk/wire_read.h"

#include <string.h>

#include "engine/notation.h"
#include "sdk/wire.h"
#include "sdk/wire_token.h"

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

/* Inline for speed: a state has hundreds of integers, nearly all of them in one byte. */
static inline bool read_integer(struct wire_reader *reader, int64_t minimum, int64_t maximum,
                                int64_t *value)
{
    const uint8_t *first = reader->at;
    const uint8_t *body;
    uint32_t body_bytes;
    const struct token_shape *shape;

    if (first < reader->end && token_is_small(*first)) {
        *value = (int8_t)*reader->at++;
        return *value >= minimum && *value <= maximum;
    }
    shape = read_token(reader, &body, &body_bytes);
    return shape && shape->kind == TOKEN_INTEGER &&
           decode_integer(first, body, body_bytes, value) && *value >= minimum && *value <= maximum;
}

bool wire_read_integer(struct wire_reader *reader, int64_t minimum, int64_t maximum, int64_t *value)
{
    return read_integer(reader, minimum, maximum, value);
}

static inline bool read_int(struct wire_reader *reader, int minimum, int maximum, int *value)
{
    int64_t wide;

    if (!read_integer(reader, minimum, maximum, &wide))
        return false;
    *value = (int)wide;
    return true;
}

bool wire_read_int(struct wire_reader *reader, int minimum, int maximum, int *value)
{
    return read_int(reader, minimum, maximum, value);
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
    size_t left = (size_t)(reader->end - reader->at);
    const struct token_shape *shape;
    const uint8_t *body;
    uint32_t count;

    if (left > 0 && token_is_short_string(*reader->at) && (*reader->at & 0x1fu) < left) {
        *text = (const char *)reader->at + 1;
        *text_bytes = *reader->at & 0x1f;
        reader->at += 1 + *text_bytes;
        return true;
    }
    shape = read_token(reader, &body, &count);
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
    const struct token_shape *shape;
    const uint8_t *body;

    if (reader->at < reader->end && (*reader->at & 0xf0) == 0x90) {
        *count = *reader->at++ & 0x0f;
        return true;
    }
    shape = read_token(reader, &body, count);
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

        if (!read_int(reader, minimum, maximum, &value))
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

        if (!read_int(reader, 0, GAME_TILES, &value))
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
