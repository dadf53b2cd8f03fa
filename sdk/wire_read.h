/*
 * Reads MessagePack values front to back without copying, for wire_unpack_... and for replays.
 * Every function reads one value and returns false if the value does not have the requested type;
 * the reader's position is then undefined. No function reads beyond reader->end, even in bytes that
 * wire_scan has not checked.
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
    const char *fault; /* NULL, or a static line that says what is wrong */
};

extern const char *const wire_reason_names[]; /* names by enum wire_reason */

/* Returns NULL if every value was valid and no byte is left, else the fault. */
const char *wire_read_end(struct wire_reader *reader);

/* Skips one value of any type. */
bool wire_read_past(struct wire_reader *reader);

/* Reads an integer in any encoding. Returns false unless it is from minimum to maximum. */
bool wire_read_integer(struct wire_reader *reader, int64_t minimum, int64_t maximum,
                       int64_t *value);
bool wire_read_int(struct wire_reader *reader, int minimum, int maximum, int *value);

bool wire_read_bool(struct wire_reader *reader, bool *value);

/* Reads a string: sets *text to a pointer into the message, without a NUL at the end. */
bool wire_read_string(struct wire_reader *reader, const char **text, size_t *text_bytes);

/* Reads a string, cuts it to limit_bytes, repairs it as wire_repair_text does, and copies it to
 * `target`, which has room for `capacity` bytes. */
bool wire_read_text(struct wire_reader *reader, char *target, size_t capacity, size_t limit_bytes);

/*
 * Reads a string and returns its index among names (NULL entries match nothing), -1 if it is
 * another string, -2 if the value is not a string.
 */
int wire_read_name(struct wire_reader *reader, const char *const *names, size_t name_count);

/* Read the header of an array or map: set *count to its values, or *pairs to its pairs. */
bool wire_read_array_header(struct wire_reader *reader, uint32_t *count);
bool wire_read_map_header(struct wire_reader *reader, uint32_t *pairs);

/* Read `count` consecutive integers, or an array with the number of tiles of each color. */
bool wire_read_int8s(struct wire_reader *reader, int minimum, int maximum, int8_t *numbers,
                     size_t count);
bool wire_read_counts(struct wire_reader *reader, uint8_t counts[PUBLIC_ROOM(GAME_COLORS)]);

/* Reads a well-formed action whose numbers fit 8 bits. */
bool wire_read_action(struct wire_reader *reader, struct action *action);

/* Reads a state, and zeroes the displays and seats of *state that the table does not use. */
bool wire_read_state(struct wire_reader *reader, struct position *state);

PUBLIC_END

#endif
