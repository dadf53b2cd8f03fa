/* SPDX-License-Identifier: MIT */
/*
 * The wire protocol between the arena and a bot: the message types and one codec that both sides
 * use. The codec works on the caller's buffers, does no I/O and allocates no memory, even for
 * hostile input. Source: docs/protocol.md.
 */
#ifndef SDK_WIRE_H
#define SDK_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/public.h"
#include "engine/state.h"

PUBLIC_BEGIN

#define WIRE_GAME "summer-pavilion" /* name of the game in the hello message */

enum wire_limits {
    WIRE_PROTOCOL = 1,              /* version of the protocol, in the hello message */
    WIRE_MESSAGE_BYTES_MAX = 65536, /* largest accepted message */
    WIRE_DEPTH_MAX = 8,             /* deepest nesting; the message's own map counts as 1 */
    WIRE_NOTE_BYTES_MAX = 200, /* largest size of a note as sent; the receiver cuts a longer note */
    WIRE_TEXT_BYTES_MAX = 640, /* room for a text and its NUL; repair turns 1 invalid byte into 3 */
    WIRE_NAME_BYTES_MAX = 64,  /* size to which the arena cuts a bot's name or version */
    WIRE_MATCH_BYTES_MAX = 128, /* largest size of a match id, with its NUL */
    WIRE_EVENTS_MAX = GAME_DECISIONS_MAX,
};

enum wire_type {
    WIRE_HELLO = 1, /* from the arena: the terms of a match */
    WIRE_READY = 2, /* from the bot: the bot has read the hello message */
    WIRE_TURN = 3,  /* from the arena: a request for a decision */
    WIRE_ACT = 4,   /* from the bot: the bot's decision */
    WIRE_END = 5,   /* from the arena: the result of the match */
};

/* Why a bot's part in a match ended. The arena stores these numbers: never reuse a number. */
enum wire_reason {
    WIRE_PLAYED = 0,    /* the bot played to the end of the match */
    WIRE_START = 1,     /* the bot could not be executed or was not ready in time */
    WIRE_TIMEOUT = 2,   /* the bot gave no complete answer by the deadline */
    WIRE_ILLEGAL = 3,   /* the bot gave a well-formed answer that is not a legal action */
    WIRE_BAD = 4,       /* "protocol": the bot sent a malformed, oversized or unexpected message */
    WIRE_EXIT = 5,      /* the bot exited by itself */
    WIRE_CRASH = 6,     /* a signal killed the bot, through a fault of its own */
    WIRE_FORBIDDEN = 7, /* the bot was killed for a forbidden system call */
    WIRE_MEMORY = 8,    /* the bot exceeded its memory limit */
    WIRE_CPU = 9,       /* the bot exceeded its processor time limit */
    WIRE_REASON_COUNT = 10,
};

/* Returns the name of a reason, such as "played": a static string. */
const char *wire_reason_name(enum wire_reason reason) LINK_NAME(wire_reason_name);

/* Returns the reason with a name such as "played", or -1 if there is none. */
int wire_reason_from_name(const char *name) LINK_NAME(wire_reason_from_name);

struct wire_clock {
    int64_t turn_ms;  /* time for each decision */
    int64_t bank_ms;  /* extra time per match, for decisions that take longer than turn_ms */
    int64_t gain_ms;  /* time added to the bank after each answer */
    int64_t start_ms; /* time from the start of the program to its ready message */
};

struct wire_hello {
    char match[WIRE_MATCH_BYTES_MAX]; /* id of the match */
    int seat;
    int player_count;
    enum board_side board;
    char names[GAME_PLAYERS_MAX][WIRE_NAME_BYTES_MAX + 1]; /* names by seat; empty in rated games */
    struct wire_clock clock;
    uint64_t seed; /* seed for the bot's own choices, below 2^53 */
};

struct wire_ready {
    char name[WIRE_TEXT_BYTES_MAX];    /* "" if missing */
    char version[WIRE_TEXT_BYTES_MAX]; /* "" if missing */
    bool actions; /* the bot wants the legal actions with each turn; true if the key is missing */
};

struct wire_event {
    int seat;
    struct action action;
};

/* A turn message. The arrays belong to the caller. */
struct wire_turn {
    int64_t turn;
    struct position state;
    const struct action *actions; /* legal actions; NULL: the message has no key "actions" */
    size_t action_count;
    int64_t bank_ms;
    const struct wire_event *events;
    size_t event_count;
    struct action played; /* in an analysis: the action that was played in the match */
    bool has_played;
};

/* The kind of value of the key "action" in an act message. */
enum wire_act_kind {
    WIRE_ACT_INDEX = 0,  /* an integer that fits int64_t, stored in `index` */
    WIRE_ACT_ACTION = 1, /* a well-formed action, stored in `action` */
    WIRE_ACT_OTHER = 2,  /* any other value, which names no legal action */
};

struct wire_act {
    int64_t turn;
    enum wire_act_kind kind;
    int64_t index;
    struct action action;
    char note[WIRE_TEXT_BYTES_MAX]; /* valid UTF-8, cut and repaired; may contain NUL bytes */
    size_t note_bytes;              /* length of the note; 0 if there is none */
    bool has_note;
    /*
     * The lead that the bot expects at the end of the match, in hundredths of a point: with its
     * best action, and with the action that was played. Only analyses use these numbers.
     */
    int32_t expects[2];
    bool has_expects; /* false if the message has no valid key "expects" */
};

struct wire_end {
    int player_count;
    int scores[GAME_PLAYERS_MAX];
    int ranks[GAME_PLAYERS_MAX];
    enum wire_reason reasons[GAME_PLAYERS_MAX];
    struct position state;
};

/* ---- packing: each function returns the number of bytes, or 0 if capacity is too small ---- */

size_t wire_pack_hello(uint8_t *buffer, size_t capacity, const struct wire_hello *hello)
    LINK_NAME(wire_pack_hello);
size_t wire_pack_ready(uint8_t *buffer, size_t capacity, const struct wire_ready *ready)
    LINK_NAME(wire_pack_ready);
size_t wire_pack_turn(uint8_t *buffer, size_t capacity, const struct wire_turn *turn)
    LINK_NAME(wire_pack_turn);
size_t wire_pack_act(uint8_t *buffer, size_t capacity, const struct wire_act *act)
    LINK_NAME(wire_pack_act);
size_t wire_pack_end(uint8_t *buffer, size_t capacity, const struct wire_end *end)
    LINK_NAME(wire_pack_end);

/* Packs one action in its form on the wire and in replays, such as ["draft", 3, 1]. */
size_t wire_pack_action(uint8_t *buffer, size_t capacity, struct action action)
    LINK_NAME(wire_pack_action);

/* ---- finding the end of a message in a stream of untrusted bytes ---- */

enum wire_scan_result {
    WIRE_SCAN_PARTIAL = 0,  /* the bytes are valid so far, but more are needed */
    WIRE_SCAN_COMPLETE = 1, /* the message is complete and has scan.offset bytes */
    WIRE_SCAN_BAD = 2,      /* the bytes are no valid message; scan.fault says why */
};

/*
 * The state of an incremental scan: each byte is scanned once, even if the bytes of a message
 * arrive one by one. A zeroed struct begins a new scan.
 */
struct wire_scan {
    size_t offset;                     /* bytes of the message scanned so far */
    int depth;                         /* number of open containers (arrays and maps) */
    bool in_map[WIRE_DEPTH_MAX + 1];   /* by open container: the container is a map */
    uint32_t left[WIRE_DEPTH_MAX + 1]; /* by open container: number of values still missing */
    uint32_t due;                      /* sum of `left`: at least so many bytes must follow */
    const char *fault; /* static line that says why the message is invalid, after WIRE_SCAN_BAD */
};

/*
 * Continues the scan of bytes[0..size) at scan->offset. Returns WIRE_SCAN_BAD at the first byte
 * that proves one of: nesting deeper than WIRE_DEPTH_MAX; a size above WIRE_MESSAGE_BYTES_MAX; a
 * count that cannot fit into the rest of the message; a reserved byte; a key of any map that is not
 * a string; a message that is not a map. Ignores bytes after the message.
 */
enum wire_scan_result wire_scan(struct wire_scan *scan, const uint8_t *bytes, size_t size)
    LINK_NAME(wire_scan);

/*
 * ---- reading one scanned, complete message ---- Each function returns NULL, or one static line
 * that says what is wrong with the message. Unknown keys are ignored; a known key that occurs twice
 * or has a value of the wrong type is an error.
 */

/* What wire_unpack_type returns for an unknown type. A bot ignores messages of unknown types. */
extern const char wire_type_unknown[] LINK_NAME(wire_type_unknown);

/* Sets *type to the message's type. Does not check the message's other keys. */
const char *wire_unpack_type(const uint8_t *bytes, size_t size, enum wire_type *type)
    LINK_NAME(wire_unpack_type);

const char *wire_unpack_hello(const uint8_t *bytes, size_t size, struct wire_hello *message)
    LINK_NAME(wire_unpack_hello);
const char *wire_unpack_ready(const uint8_t *bytes, size_t size, struct wire_ready *message)
    LINK_NAME(wire_unpack_ready);

/* Writes the message's arrays to `actions` and `events`, and sets message's pointers to them. */
const char *wire_unpack_turn(const uint8_t *bytes, size_t size, struct wire_turn *message,
                             struct action actions[PUBLIC_ROOM(GAME_ACTIONS_MAX)],
                             struct wire_event events[PUBLIC_ROOM(WIRE_EVENTS_MAX)])
    LINK_NAME(wire_unpack_turn);
const char *wire_unpack_act(const uint8_t *bytes, size_t size, struct wire_act *message)
    LINK_NAME(wire_unpack_act);
const char *wire_unpack_end(const uint8_t *bytes, size_t size, struct wire_end *message)
    LINK_NAME(wire_unpack_end);

/*
 * Copies the first limit_bytes of a text to `target` (room for WIRE_TEXT_BYTES_MAX), or a little
 * less, so that no character is split. Replaces invalid UTF-8 by U+FFFD, adds a NUL and returns the
 * length.
 */
size_t wire_repair_text(char target[PUBLIC_ROOM(WIRE_TEXT_BYTES_MAX)], const char *source,
                        size_t source_bytes, size_t limit_bytes) LINK_NAME(wire_repair_text);

/* True for well-formed UTF-8 of any length. */
bool wire_is_utf8(const char *text, size_t size) LINK_NAME(wire_is_utf8);

/*
 * Decodes the first character of a text of at least one byte. Returns its size in bytes and sets
 * *code to its code point. Returns 0, with *code unchanged, if the text does not begin with valid
 * UTF-8.
 */
size_t wire_character(const char *text, size_t size, uint32_t *code) LINK_NAME(wire_character);

/*
 * ---- reading single values, for replays ---- Reads MessagePack values front to back without
 * copying. Every function reads one value and returns false if the value does not have the
 * requested type; the reader's position is then undefined. No function reads beyond reader->end,
 * even in bytes that wire_scan has not checked.
 */

struct wire_reader {
    const uint8_t *at;
    const uint8_t *end;
    const char *fault; /* NULL, or a static line that says what is wrong */
};

extern const char *const
    wire_reason_names[] LINK_NAME(wire_reason_names); /* names by enum wire_reason */

/* Returns NULL if every value was valid and no byte is left, else what is wrong. */
const char *wire_read_end(struct wire_reader *reader) LINK_NAME(wire_read_end);

/* Skips one value of any type. */
bool wire_read_past(struct wire_reader *reader) LINK_NAME(wire_read_past);

/* Reads an integer in any encoding. Returns false unless it is from minimum to maximum. */
bool wire_read_integer(struct wire_reader *reader, int64_t minimum, int64_t maximum, int64_t *value)
    LINK_NAME(wire_read_integer);
bool wire_read_int(struct wire_reader *reader, int minimum, int maximum, int *value)
    LINK_NAME(wire_read_int);

bool wire_read_bool(struct wire_reader *reader, bool *value) LINK_NAME(wire_read_bool);

/* Reads a string: sets *text to a pointer into the message, without a NUL at the end. */
bool wire_read_string(struct wire_reader *reader, const char **text, size_t *text_bytes)
    LINK_NAME(wire_read_string);

/* Reads a string, cuts it to limit_bytes, repairs it as wire_repair_text does, and copies it to
 * `target`, which has room for `capacity` bytes. */
bool wire_read_text(struct wire_reader *reader, char *target, size_t capacity, size_t limit_bytes)
    LINK_NAME(wire_read_text);

/*
 * Reads a string and returns its index in `names` (NULL entries match no string), -1 if `names`
 * does not contain the string, -2 if the value is not a string.
 */
int wire_read_name(struct wire_reader *reader, const char *const *names, size_t name_count)
    LINK_NAME(wire_read_name);

/*
 * Read the header of an array or map: set *count to the number of values, or *pairs to the number
 * of pairs.
 */
bool wire_read_array_header(struct wire_reader *reader, uint32_t *count)
    LINK_NAME(wire_read_array_header);
bool wire_read_map_header(struct wire_reader *reader, uint32_t *pairs)
    LINK_NAME(wire_read_map_header);

/* Read `count` consecutive integers, or an array with a number of tiles for each color. */
bool wire_read_int8s(struct wire_reader *reader, int minimum, int maximum, int8_t *numbers,
                     size_t count) LINK_NAME(wire_read_int8s);
bool wire_read_counts(struct wire_reader *reader, uint8_t counts[PUBLIC_ROOM(GAME_COLORS)])
    LINK_NAME(wire_read_counts);

/* Reads a well-formed action whose numbers fit 8 bits. */
bool wire_read_action(struct wire_reader *reader, struct action *action)
    LINK_NAME(wire_read_action);

/*
 * ---- tokens, for printing values of any type ---- The kind and size of a value according to its
 * first byte. Source: the table of formats in the MessagePack specification.
 */

enum token_kind {
    TOKEN_INTEGER, /* an integer of either sign and any size */
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

/* The shape of a value: its first byte, the bytes of its count if it has one, and its body. */
struct token_shape {
    uint8_t kind; /* enum token_kind */
    /* Size of the big-endian count that follows the first byte: 0, 1, 2 or 4. */
    uint8_t count_bytes;
    uint8_t body_bytes; /* fixed size of the body */
    uint8_t values; /* number of values in an array or map whose first byte contains the count */
};

/* The shape of a value, by its first byte. */
extern const struct token_shape token_shapes[256] LINK_NAME(token_shapes);

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
