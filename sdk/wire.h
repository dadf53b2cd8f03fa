/*
 * The wire between the arena and a bot: one enum of messages, one codec, used by
 * both ends. Packs into and reads from buffers of the caller's; does no I/O and
 * allocates nothing, whatever the bytes say. Source: docs/protocol.md.
 */
#ifndef SDK_WIRE_H
#define SDK_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/public.h"
#include "engine/state.h"

PUBLIC_BEGIN

#define WIRE_GAME "summer-pavilion" /* the name that hello tells */

enum wire_limits {
    WIRE_PROTOCOL = 1,              /* the version that hello tells */
    WIRE_MESSAGE_BYTES_MAX = 65536, /* a message of this size is read, one byte more is a fault */
    WIRE_DEPTH_MAX = 8,             /* nesting; the message's own map counts as 1 */
    WIRE_NOTE_BYTES_MAX = 200,      /* of an act's note, as sent; longer ones are cut */
    WIRE_TEXT_BYTES_MAX =
        640, /* room for a cut text after repair (each bad byte can become 3), and its NUL */
    WIRE_NAME_BYTES_MAX = 64,   /* of a bot's name or version; longer ones are cut */
    WIRE_MATCH_BYTES_MAX = 128, /* of a match id, NUL included */
    WIRE_EVENTS_MAX = GAME_DECISIONS_MAX,
};

enum wire_type {
    WIRE_HELLO = 1, /* arena: the terms of a match */
    WIRE_READY = 2, /* bot: hello is understood */
    WIRE_TURN = 3,  /* arena: a decision is due */
    WIRE_ACT = 4,   /* bot: the decision */
    WIRE_END = 5,   /* arena: the result */
};

/* Why a bot's part in a match ended; numbers are stored and never reused. */
enum wire_reason {
    WIRE_PLAYED = 0,    /* in the match to its end */
    WIRE_START = 1,     /* could not be executed, or no ready before its start limit */
    WIRE_TIMEOUT = 2,   /* no complete answer by the deadline */
    WIRE_ILLEGAL = 3,   /* a well-formed answer that is no legal action */
    WIRE_BAD = 4,       /* "protocol": a malformed, oversized or unexpected message */
    WIRE_EXIT = 5,      /* left by itself */
    WIRE_CRASH = 6,     /* died of a signal of its own making */
    WIRE_FORBIDDEN = 7, /* killed for a system call */
    WIRE_MEMORY = 8,    /* out of the memory it was given */
    WIRE_CPU = 9,       /* used more processor time than it was allowed */
    WIRE_REASON_COUNT = 10,
};

/* "played", "start", ...; a static string. */
const char *wire_reason_name(enum wire_reason reason);

/* The reason of that name, or -1. */
int wire_reason_from_name(const char *name);

struct wire_clock {
    int64_t turn_ms;  /* for each decision */
    int64_t bank_ms;  /* used when a decision takes longer */
    int64_t gain_ms;  /* added to the bank after each answer */
    int64_t start_ms; /* from the start to ready */
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
    char name[WIRE_TEXT_BYTES_MAX];    /* "" if not told */
    char version[WIRE_TEXT_BYTES_MAX]; /* "" if not told */
    bool actions;                      /* send the legal actions with each turn; true if not told */
};

struct wire_event {
    int seat;
    struct action action;
};

/* Arrays are the caller's and only borrowed. */
struct wire_turn {
    int64_t turn;
    struct position state;
    const struct action *actions; /* NULL: leave the key out (or, unpacked, it was absent) */
    size_t action_count;
    int64_t bank_ms;
    const struct wire_event *events;
    size_t event_count;
};

/* What an act's `action` was. */
enum wire_act_kind {
    WIRE_ACT_INDEX = 0,  /* an integer that fits int64_t: index */
    WIRE_ACT_ACTION = 1, /* of an action's form and in the range of its numbers: action */
    WIRE_ACT_OTHER = 2,  /* anything else: no legal action */
};

struct wire_act {
    int64_t turn;
    enum wire_act_kind kind;
    int64_t index;
    struct action action;
    char note[WIRE_TEXT_BYTES_MAX]; /* "" if none; cut and repaired to UTF-8; may hold any byte
                                       but... */
    size_t note_bytes;              /* ... NUL too, so its length is told */
    bool has_note;
};

struct wire_end {
    int player_count;
    int scores[GAME_PLAYERS_MAX];
    int ranks[GAME_PLAYERS_MAX];
    enum wire_reason reasons[GAME_PLAYERS_MAX];
    struct position state;
};

/* ---- packing: returns the bytes written, or 0 if they do not fit capacity ---- */

size_t wire_pack_hello(uint8_t *buffer, size_t capacity, const struct wire_hello *hello);
size_t wire_pack_ready(uint8_t *buffer, size_t capacity, const struct wire_ready *ready);
size_t wire_pack_turn(uint8_t *buffer, size_t capacity, const struct wire_turn *turn);
size_t wire_pack_act(uint8_t *buffer, size_t capacity, const struct wire_act *act);
size_t wire_pack_end(uint8_t *buffer, size_t capacity, const struct wire_end *end);

/* One action as the wire has it: ["draft", 3, 1]. The same form serves replays. */
size_t wire_pack_action(uint8_t *buffer, size_t capacity, struct action action);

/* One state as the wire has it, a map. The same form serves replays. */
size_t wire_pack_state(uint8_t *buffer, size_t capacity, const struct position *state);

/* ---- finding a message's end in a stream of untrusted bytes ---- */

enum wire_scan_result {
    WIRE_SCAN_PARTIAL = 0,  /* so far well-formed, more bytes are needed */
    WIRE_SCAN_COMPLETE = 1, /* one whole value: scan.offset bytes long */
    WIRE_SCAN_BAD = 2,      /* never a message: scan.fault says why */
};

/*
 * The state of a scan that goes on as bytes arrive, so that dripped bytes cost no
 * more than whole ones. A zeroed one is a new one.
 */
struct wire_scan {
    size_t offset;                     /* bytes of the message understood so far */
    int depth;                         /* containers open */
    bool in_map[WIRE_DEPTH_MAX + 1];   /* each open container: its values are keys by turns */
    uint32_t left[WIRE_DEPTH_MAX + 1]; /* each open container: values still due in it */
    uint32_t due;                      /* their sum: the bytes that must follow, at least */
    const char *fault;                 /* with WIRE_SCAN_BAD: one static line */
};

/*
 * Looks at bytes[0..size), of which scan->offset were seen before. Refuses, with the
 * byte that shows it, nesting past WIRE_DEPTH_MAX, a size past WIRE_MESSAGE_BYTES_MAX,
 * counts that cannot fit what remains of it, reserved bytes, a key that is no string
 * (of any map), and a message that is no map. Bytes behind the message are not looked at.
 */
enum wire_scan_result wire_scan(struct wire_scan *scan, const uint8_t *bytes, size_t size);

/* ---- reading one scanned, whole message ----
 * Each returns NULL, or one static line that says what is wrong with the message.
 * Unknown keys are passed over; a known key twice or of the wrong kind is wrong. */

/* The fault of a message whose type only a later version knows: a bot passes it over. */
extern const char wire_type_unknown[];

/* The message's type, into *type; looks no further than that key. */
const char *wire_unpack_type(const uint8_t *bytes, size_t size, enum wire_type *type);

const char *wire_unpack_hello(const uint8_t *bytes, size_t size, struct wire_hello *hello);
const char *wire_unpack_ready(const uint8_t *bytes, size_t size, struct wire_ready *ready);

/* Writes the arrays into the caller's room and points turn at them. */
const char *wire_unpack_turn(const uint8_t *bytes, size_t size, struct wire_turn *turn,
                             struct action actions[PUBLIC_ROOM(GAME_ACTIONS_MAX)],
                             struct wire_event events[PUBLIC_ROOM(WIRE_EVENTS_MAX)]);
const char *wire_unpack_act(const uint8_t *bytes, size_t size, struct wire_act *act);
const char *wire_unpack_end(const uint8_t *bytes, size_t size, struct wire_end *end);

/* One action and nothing behind it, as wire_pack_action writes it. */
const char *wire_unpack_action(const uint8_t *bytes, size_t size, struct action *action);

/* One state and nothing behind it, as wire_pack_state writes it. */
const char *wire_unpack_state(const uint8_t *bytes, size_t size, struct position *state);

/*
 * Copies text of source_bytes into target (WIRE_TEXT_BYTES_MAX of room): cut at a
 * character to at most limit_bytes, then invalid UTF-8 replaced by U+FFFD. Ends it
 * with NUL and returns its length.
 */
size_t wire_repair_text(char target[PUBLIC_ROOM(WIRE_TEXT_BYTES_MAX)], const char *source,
                        size_t source_bytes, size_t limit_bytes);

/* True for well-formed UTF-8 of any length. */
bool wire_is_utf8(const char *text, size_t size);

/*
 * The character that a text of at least one byte begins with: its bytes, and *code is its code
 * point. 0 if the text begins with no well-formed character; *code is then unchanged.
 */
size_t wire_character(const char *text, size_t size, uint32_t *code);

PUBLIC_END

#include "sdk/wire_read.h"  /* single values: replays are made of the same parts */
#include "sdk/wire_token.h" /* and their first bytes: for who prints values of any kind */

#endif
