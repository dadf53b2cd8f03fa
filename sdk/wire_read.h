/*
 * Reads MessagePack values in place, front to back, for the unpacker of the wire and for replays,
 * which consist of the same parts. Every function reads one value and returns false if it does not
 * have the requested type; the reader's position is then undefined. Never reads beyond the end,
 * whether the bytes were scanned before or not.
 */
#ifndef SDK_WIRE_READ_H
#define SDK_WIRE_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/public.h"
#include "engine/state.h"

PUBLIC_BEGIN

struct wire_reader {
    const uint8_t *at;
    const uint8_t *end;
    const char *fault; /* NULL, or one static line */
};

extern const char *const wire_reason_names[]; /* by enum wire_reason */

/* Returns NULL if there was no error and nothing is left to read, else the fault. */
const char *wire_read_end(struct wire_reader *reader);

/* Skips one value of any type. */
bool wire_read_past(struct wire_reader *reader);

/* Reads an integer in any encoding; fails if it is not from minimum to maximum. */
bool wire_read_integer(struct wire_reader *reader, int64_t minimum, int64_t maximum,
                       int64_t *value);
bool wire_read_int(struct wire_reader *reader, int minimum, int maximum, int *value);

bool wire_read_bool(struct wire_reader *reader, bool *value);

/* Reads a string without copying it: borrowed, not NUL-terminated. */
bool wire_read_string(struct wire_reader *reader, const char **text, size_t *text_bytes);

/* Reads a string, cut to limit_bytes and repaired as by wire_repair_text, into capacity bytes. */
bool wire_read_text(struct wire_reader *reader, char *target, size_t capacity, size_t limit_bytes);

/*
 * Reads a string and returns its index among names (NULL entries match nothing), -1 if it is
 * another string, -2 if the value is not a string.
 */
int wire_read_name(struct wire_reader *reader, const char *const *names, size_t name_count);

/* Read the header of an array of *count values, or of a map of *pairs. */
bool wire_read_array_header(struct wire_reader *reader, uint32_t *count);
bool wire_read_map_header(struct wire_reader *reader, uint32_t *pairs);

/* Read `count` consecutive integers, or an array with the number of tiles of each color. */
bool wire_read_int8s(struct wire_reader *reader, int minimum, int maximum, int8_t *numbers,
                     size_t count);
bool wire_read_counts(struct wire_reader *reader, uint8_t counts[PUBLIC_ROOM(GAME_COLORS)]);

/* Reads an action in valid form, with 8-bit numbers. */
bool wire_read_action(struct wire_reader *reader, struct action *action);

/* Reads a state; zeroes what is unused in *state. */
bool wire_read_state(struct wire_reader *reader, struct position *state);

PUBLIC_END

#endif
