/*
 * Reading MessagePack values in place, front to back, for the unpacker of the wire
 * and for replays, which are made of the same parts. Every function takes one value off the reader
 * and returns false if it is not of the kind asked for; the reader then stands somewhere in it. No
 * byte past the end is ever looked at, scanned before or not.
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

/* One key of a map: how its value is read into the map's target. */
struct wire_field {
    const char *name;
    size_t name_bytes;
    bool (*read_fn)(struct wire_reader *reader, void *target);
    const char *wrong;   /* the fault if read_fn returns false and leaves none of its own */
    const char *missing; /* the fault if the key is absent; NULL if it may be */
};

#define WIRE_FIELD(name, read_fn, wrong_kind, is_required)                                         \
    {                                                                                              \
        name, sizeof name - 1, read_fn, name " is " wrong_kind,                                    \
            (is_required) ? "the message has no " name : NULL                                      \
    }

extern const char *const wire_reason_names[]; /* by enum wire_reason */

/* NULL if all went well and nothing is left, else what went wrong. */
const char *wire_read_end(struct wire_reader *reader);

/* Any one value, whatever it holds. */
bool wire_read_past(struct wire_reader *reader);

/* The same for a field whose value was read before. */
bool wire_read_past_field(struct wire_reader *reader, void *target);

/* An integer in any encoding, if it is from minimum to maximum. */
bool wire_read_integer(struct wire_reader *reader, int64_t minimum, int64_t maximum,
                       int64_t *value);
bool wire_read_int(struct wire_reader *reader, int minimum, int maximum, int *value);

bool wire_read_bool(struct wire_reader *reader, bool *value);

/* A string as it stands: borrowed, not ended by NUL. */
bool wire_read_string(struct wire_reader *reader, const char **text, size_t *text_bytes);

/* A string cut to limit_bytes and repaired, as wire_repair_text says, into capacity of room. */
bool wire_read_text(struct wire_reader *reader, char *target, size_t capacity, size_t limit_bytes);

/* A string among names: its index (NULL entries are none), -1 if it is another, -2 if no string. */
int wire_read_name(struct wire_reader *reader, const char *const *names, size_t name_count);

/* The header of an array of *count values, or of a map of *pairs. */
bool wire_read_array_header(struct wire_reader *reader, uint32_t *count);
bool wire_read_map_header(struct wire_reader *reader, uint32_t *pairs);

/* A whole map; keys that are no field's are passed over. Leaves a fault if it fails. */
bool wire_read_map(struct wire_reader *reader, const struct wire_field *fields, size_t field_count,
                   void *target);

/* `count` integers one after another, or an array of a count of tiles by color. */
bool wire_read_int8s(struct wire_reader *reader, int minimum, int maximum, int8_t *numbers,
                     size_t count);
bool wire_read_counts(struct wire_reader *reader, uint8_t counts[PUBLIC_ROOM(GAME_COLORS)]);

/* An action of the right form with numbers of 8 bits. */
bool wire_read_action(struct wire_reader *reader, struct action *action);

/* A state; what is unused in *state is zeroed. */
bool wire_read_state(struct wire_reader *reader, struct position *state);

PUBLIC_END

#endif
