/*
 * The wire protocol between the arena and a bot: one enum of messages and one codec, used by both
 * ends. Packs into and reads from the caller's buffers; does no I/O and allocates nothing, for any
 * input. Source: docs/protocol.md.
 */
#ifndef SDK_WIRE_H
#define SDK_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/public.h"
#include "engine/state.h"

PUBLIC_BEGIN

#define WIRE_GAME "summer-pavilion" /* the name of the game in hello */

enum wire_limits {
    WIRE_PROTOCOL = 1,              /* the version in hello */
    WIRE_MESSAGE_BYTES_MAX = 65536, /* largest message that is accepted */
    WIRE_DEPTH_MAX = 8,             /* nesting limit; the message's own map counts as 1 */
    WIRE_NOTE_BYTES_MAX = 200,      /* limit of an act's note, as sent; longer notes are cut */
    WIRE_TEXT_BYTES_MAX =
        640, /* room for a cut text after repair (1 bad byte can become 3) and its NUL */
    WIRE_NAME_BYTES_MAX = 64,   /* limit of a bot's name or version; longer ones are cut */
    WIRE_MATCH_BYTES_MAX = 128, /* limit of a match id, NUL included */
    WIRE_EVENTS_MAX = GAME_DECISIONS_MAX,
};

enum wire_type {
    WIRE_HELLO = 1, /* arena: the terms of a match */
    WIRE_READY = 2, /* bot: it has read hello */
    WIRE_TURN = 3,  /* arena: a decision is due */
    WIRE_ACT = 4,   /* bot: the decision */
    WIRE_END = 5,   /* arena: the result */
};

/* Why a bot's part in a match ended; numbers are stored and never reused. */
enum wire_reason {
    WIRE_PLAYED = 0,    /* played to the end of the match */
    WIRE_START = 1,     /* could not be executed, or was not ready in time */
    WIRE_TIMEOUT = 2,   /* no complete answer by the deadline */
    WIRE_ILLEGAL = 3,   /* a well-formed answer that is not a legal action */
    WIRE_BAD = 4,       /* "protocol": a malformed, oversized or unexpected message */
    WIRE_EXIT = 5,      /* exited by itself */
    WIRE_CRASH = 6,     /* died of a signal that it caused itself */
    WIRE_FORBIDDEN = 7, /* killed for a forbidden system call */
    WIRE_MEMORY = 8,    /* exceeded its memory limit */
    WIRE_CPU = 9,       /* exceeded its processor time limit */
    WIRE_REASON_COUNT = 10,
};

/* Returns "played", "start", ...; a static string. */
const char *wire_reason_name(enum wire_reason reason);

/* Returns the reason with that name, or -1. */
int wire_reason_from_name(const char *name);

struct wire_clock {
    int64_t turn_ms;  /* time for each decision */
    int64_t bank_ms;  /* extra time for decisions that take longer */
    int64_t gain_ms;  /* added to the bank after each answer */
    int64_t start_ms; /* from the start of the program to ready */
};

struct wire_hello {
    char match[WIRE_MATCH_BYTES_MAX]; /* id */
    int seat;
    int player_count;
    enum board_side board;
    char names[GAME_PLAYERS_MAX][WIRE_NAME_BYTES_MAX + 1]; /* by seat; empty in rated games */
    struct wire_clock clock;
    uint64_t seed; /* below 2^53, for the bot's own choices */
};

struct wire_ready {
    char name[WIRE_TEXT_BYTES_MAX];    /* "" if missing */
    char version[WIRE_TEXT_BYTES_MAX]; /* "" if missing */
    bool actions;                      /* send the legal actions with each turn; true if missing */
};

struct wire_event {
    int seat;
    struct action action;
};

/* Arrays are borrowed from the caller. */
struct wire_turn {
    int64_t turn;
    struct position state;
    const struct action *actions; /* NULL: omit the key; after unpacking: it was missing */
    size_t action_count;
    int64_t bank_ms;
    const struct wire_event *events;
    size_t event_count;
};

/* The kind of value of an act's `action`. */
enum wire_act_kind {
    WIRE_ACT_INDEX = 0,  /* an integer that fits int64_t: index */
    WIRE_ACT_ACTION = 1, /* an action in valid form, with numbers in range: action */
    WIRE_ACT_OTHER = 2,  /* anything else: not a legal action */
};

struct wire_act {
    int64_t turn;
    enum wire_act_kind kind;
    int64_t index;
    struct action action;
    char note[WIRE_TEXT_BYTES_MAX]; /* "" if none; cut and repaired to UTF-8; may contain NUL bytes,
                                     */
    size_t note_bytes;              /* so its length is stored here */
    bool has_note;
};

struct wire_end {
    int player_count;
    int scores[GAME_PLAYERS_MAX];
    int ranks[GAME_PLAYERS_MAX];
    enum wire_reason reasons[GAME_PLAYERS_MAX];
    struct position state;
};

/* ---- packing: returns the number of bytes, or 0 if they do not fit capacity ---- */

size_t wire_pack_hello(uint8_t *buffer, size_t capacity, const struct wire_hello *hello);
size_t wire_pack_ready(uint8_t *buffer, size_t capacity, const struct wire_ready *ready);
size_t wire_pack_turn(uint8_t *buffer, size_t capacity, const struct wire_turn *turn);
size_t wire_pack_act(uint8_t *buffer, size_t capacity, const struct wire_act *act);
size_t wire_pack_end(uint8_t *buffer, size_t capacity, const struct wire_end *end);

/* Packs one action as on the wire: ["draft", 3, 1]. Also used in replays. */
size_t wire_pack_action(uint8_t *buffer, size_t capacity, struct action action);

/* Packs one state as on the wire, a map. Also used in replays. */
size_t wire_pack_state(uint8_t *buffer, size_t capacity, const struct position *state);

/* ---- finding the end of a message in a stream of untrusted bytes ---- */

enum wire_scan_result {
    WIRE_SCAN_PARTIAL = 0,  /* valid so far; more bytes are needed */
    WIRE_SCAN_COMPLETE = 1, /* one complete value of scan.offset bytes */
    WIRE_SCAN_BAD = 2,      /* not a valid message: scan.fault says why */
};

/*
 * The state of an incremental scan, so that bytes arriving one by one cost no more than bytes
 * arriving at once. Zeroed: a new scan.
 */
struct wire_scan {
    size_t offset;                   /* bytes of the message scanned so far */
    int depth;                       /* number of open containers */
    bool in_map[WIRE_DEPTH_MAX + 1]; /* for each open container: its values are alternately keys and
                                        values of a map */
    uint32_t left[WIRE_DEPTH_MAX + 1]; /* for each open container: number of values still missing */
    uint32_t due;                      /* their sum: at least this many bytes must follow */
    const char *fault;                 /* with WIRE_SCAN_BAD: one static line that says why */
};

/*
 * Continues the scan of bytes[0..size) at scan->offset. Returns WIRE_SCAN_BAD at the first byte
 * that proves one of: nesting deeper than WIRE_DEPTH_MAX; a size above WIRE_MESSAGE_BYTES_MAX; a
 * count that cannot fit into the rest of the message; a reserved byte; a key of any map that is not
 * a string; a message that is not a map. Ignores bytes after the message.
 */
enum wire_scan_result wire_scan(struct wire_scan *scan, const uint8_t *bytes, size_t size);

/*
 * ---- reading one scanned, complete message ---- Each returns NULL, or one static line that says
 * what is wrong with the message. Unknown keys are ignored; a known key that occurs twice or has
 * the wrong type is an error.
 */

/* The fault of a message of a type that only a later version has: a bot ignores the message. */
extern const char wire_type_unknown[];

/* Reads the message's type into *type; reads nothing beyond that key. */
const char *wire_unpack_type(const uint8_t *bytes, size_t size, enum wire_type *type);

const char *wire_unpack_hello(const uint8_t *bytes, size_t size, struct wire_hello *hello);
const char *wire_unpack_ready(const uint8_t *bytes, size_t size, struct wire_ready *ready);

/* Writes the arrays to the caller's buffers and sets turn's pointers to them. */
const char *wire_unpack_turn(const uint8_t *bytes, size_t size, struct wire_turn *turn,
                             struct action actions[PUBLIC_ROOM(GAME_ACTIONS_MAX)],
                             struct wire_event events[PUBLIC_ROOM(WIRE_EVENTS_MAX)]);
const char *wire_unpack_act(const uint8_t *bytes, size_t size, struct wire_act *act);
const char *wire_unpack_end(const uint8_t *bytes, size_t size, struct wire_end *end);

/* Reads one action as written by wire_pack_action; nothing may follow it. */
const char *wire_unpack_action(const uint8_t *bytes, size_t size, struct action *action);

/* Reads one state as written by wire_pack_state; nothing may follow it. */
const char *wire_unpack_state(const uint8_t *bytes, size_t size, struct position *state);

/*
 * Copies text of source_bytes to target (room for WIRE_TEXT_BYTES_MAX): cuts it to at most
 * limit_bytes, never within a character, then replaces invalid UTF-8 with U+FFFD. Adds a NUL and
 * returns the length.
 */
size_t wire_repair_text(char target[PUBLIC_ROOM(WIRE_TEXT_BYTES_MAX)], const char *source,
                        size_t source_bytes, size_t limit_bytes);

/* True for well-formed UTF-8 of any length. */
bool wire_is_utf8(const char *text, size_t size);

/*
 * Decodes the first character of a text of at least one byte. Returns its size in bytes and sets
 * *code to its code point. Returns 0, with *code unchanged, if the text does not begin with valid
 * UTF-8.
 */
size_t wire_character(const char *text, size_t size, uint32_t *code);

PUBLIC_END

#include "sdk/wire_read.h"  /* single values, which replays also consist of */
#include "sdk/wire_token.h" /* first bytes of values, for printing values of any type */

#endif
