/* SPDX-License-Identifier: MIT */
/*
 * The messages of the wire. A table lists the fields of each message, in the order in which they
 * are packed; packer and reader both use the table. To add a field, add a line to a table and a
 * member to a struct in wire.h.
 */
#include "sdk/wire.h"

#include <stddef.h>
#include <string.h>

#include <msgpack/pack_define.h>
#include <msgpack/timestamp.h>

/* A buffer that is being filled. Once a value does not fit, no further value is written. */
struct packer {
    uint8_t *at;
    const uint8_t *end;
    bool is_full;
};

static inline void append(struct packer *packer, const void *bytes, size_t size)
{
    if ((size_t)(packer->end - packer->at) < size) {
        packer->is_full = true;
        packer->end = packer->at;
        return;
    }
    memcpy(packer->at, bytes, size);
    packer->at += size;
}

/*
 * msgpack-c's packing functions, made inline: called through its usual callback, each of a turn's
 * 700 integers would cost an indirect call.
 */
#define msgpack_pack_inline_func(name)                  static inline void msgpack_pack##name
#define msgpack_pack_user                               struct packer *
#define msgpack_pack_append_buffer(packer, bytes, size) append(packer, bytes, size)
#include <msgpack/pack_template.h>

#include "engine/notation.h"

/* ---- the fields ---- */

/*
 * Rows of the tables. VALUE(name, kind, least, most, fault) is a required field; pack_KIND and
 * read_KIND get the member of the same name. OWN(name, kind, fault) is a required field whose
 * functions get the whole message. OPTIONAL and OWN_OPTIONAL have a further argument `present`: the
 * field is packed only if that expression is true, and may be missing when read.
 */
#define SEAT_FIELDS(VALUE, OWN, OPTIONAL, OWN_OPTIONAL)                                            \
    VALUE(score, int32, INT32_MIN, INT32_MAX, "not an integer")                                    \
    VALUE(hand, counts, 0, 0, "not an array of 6 counts")                                          \
    VALUE(corners, counts, 0, 0, "not an array of 6 counts")                                       \
    VALUE(passed, boolean, 0, 1, "not a boolean")                                                  \
    OWN(stars, stars, "no 7 arrays of 6 colors")

#define STATE_FIELDS(VALUE, OWN, OPTIONAL, OWN_OPTIONAL)                                           \
    OWN(board, state_board, "neither colored nor gray")                                            \
    VALUE(round, uint8, 1, GAME_ROUNDS, "not a round")                                             \
    OWN(phase, phase, "not a phase")                                                               \
    VALUE(player, int8, GAME_NOBODY, GAME_PLAYERS_MAX - 1, "not a seat")                           \
    VALUE(wild, uint8, 0, GAME_COLORS - 1, "not a color")                                          \
    VALUE(start, uint8, 0, GAME_PLAYERS_MAX - 1, "not a seat")                                     \
    VALUE(token, int8, GAME_NOBODY, GAME_PLAYERS_MAX - 1, "not a seat")                            \
    VALUE(bonus, uint8, 0, GAME_SUPPLY_TILES, "not a count")                                       \
    OWN(displays, displays, "not an array of 6 counts each")                                       \
    VALUE(center, counts, 0, 0, "not an array of 6 counts")                                        \
    VALUE(supply, counts, 0, 0, "not an array of 6 counts")                                        \
    VALUE(bag, counts, 0, 0, "not an array of 6 counts")                                           \
    VALUE(tower, counts, 0, 0, "not an array of 6 counts")                                         \
    OWN(players, seats, "not an array of seats")

#define CLOCK_FIELDS(VALUE, OWN, OPTIONAL, OWN_OPTIONAL)                                           \
    VALUE(turn_ms, int64, 0, INT64_MAX, "not a count of milliseconds")                             \
    VALUE(bank_ms, int64, 0, INT64_MAX, "not a count of milliseconds")                             \
    VALUE(gain_ms, int64, 0, INT64_MAX, "not a count of milliseconds")                             \
    VALUE(start_ms, int64, 0, INT64_MAX, "not a count of milliseconds")

#define HELLO_FIELDS(VALUE, OWN, OPTIONAL, OWN_OPTIONAL)                                           \
    OWN(type, type, "not a string")                                                                \
    OWN(protocol, protocol, "not an integer")                                                      \
    OWN(game, game, "not " WIRE_GAME)                                                              \
    VALUE(match, string, 0, WIRE_MATCH_BYTES_MAX - 1, "not a string")                              \
    VALUE(seat, int32, 0, GAME_PLAYERS_MAX - 1, "out of range")                                    \
    OWN(players, player_count, "not a valid player count")                                         \
    OWN(board, board, "neither colored nor gray")                                                  \
    OWN(names, names, "not an array of one string per seat")                                       \
    VALUE(clock, clock, 0, 0, "not a map")                                                         \
    OWN(seed, seed, "not an integer from 0")

#define READY_FIELDS(VALUE, OWN, OPTIONAL, OWN_OPTIONAL)                                           \
    OWN(type, type, "not a string")                                                                \
    OPTIONAL(name, name, message->name[0] != '\0', "not a string")                                 \
    OPTIONAL(version, name, message->version[0] != '\0', "not a string")                           \
    OPTIONAL(actions, boolean, !message->actions, "not a boolean")

#define TURN_FIELDS(VALUE, OWN, OPTIONAL, OWN_OPTIONAL)                                            \
    OWN(type, type, "not a string")                                                                \
    VALUE(turn, int64, 0, INT64_MAX, "not an integer from 0")                                      \
    VALUE(state, state, 0, 0, "not a map")                                                         \
    OWN_OPTIONAL(actions, actions, message->actions, "not an array of actions")                    \
    VALUE(bank_ms, int64, 0, INT64_MAX, "not a count of milliseconds")                             \
    OWN(events, events, "not an array of [seat, action]")                                          \
    OWN_OPTIONAL(played, played, message->has_played, "not an action")

#define ACT_FIELDS(VALUE, OWN, OPTIONAL, OWN_OPTIONAL)                                             \
    OWN(type, type, "not a string")                                                                \
    VALUE(turn, int64, INT64_MIN, INT64_MAX, "not an integer of 64 bits")                          \
    OWN(action, act_action, "not a value")                                                         \
    OWN_OPTIONAL(note, note, message->has_note, "not a string")                                    \
    OWN_OPTIONAL(expects, expects, message->has_expects, "not a value")

#define END_FIELDS(VALUE, OWN, OPTIONAL, OWN_OPTIONAL)                                             \
    OWN(type, type, "not a string")                                                                \
    OWN(scores, scores, "not an array of one integer per seat")                                    \
    OWN(ranks, ranks, "not an array of one rank per seat")                                         \
    OWN(reason, reasons, "not an array of one reason per seat")                                    \
    VALUE(state, state, 0, 0, "not a map")

static const char *const type_names[] = {
    [WIRE_HELLO] = "hello", [WIRE_READY] = "ready", [WIRE_TURN] = "turn",
    [WIRE_ACT] = "act",     [WIRE_END] = "end",
};

const char wire_type_unknown[] = "unknown type: this protocol has no such message";

const char *const wire_reason_names[WIRE_REASON_COUNT] = {
    [WIRE_PLAYED] = "played",   [WIRE_START] = "start",         [WIRE_TIMEOUT] = "timeout",
    [WIRE_ILLEGAL] = "illegal", [WIRE_BAD] = "protocol",        [WIRE_EXIT] = "exit",
    [WIRE_CRASH] = "crash",     [WIRE_FORBIDDEN] = "forbidden", [WIRE_MEMORY] = "memory",
    [WIRE_CPU] = "cpu",
};

const char *wire_reason_name(enum wire_reason reason)
{
    return wire_reason_names[reason];
}

int wire_reason_from_name(const char *name)
{
    for (int i = 0; i < WIRE_REASON_COUNT; i++)
        if (strcmp(name, wire_reason_names[i]) == 0)
            return i;
    return -1;
}

/* ---- packing ---- */

#define pack_type(packer, message) pack_text(packer, message_type)

#define ONE_VALUE(name, kind, least, most, fault) +1
#define ONE_OWN(name, kind, fault)                +1
#define ONE_OPTIONAL(name, kind, present, fault)  +((present) ? 1 : 0)
#define ONE_OWN_OPTIONAL                          ONE_OPTIONAL
#define PACK_VALUE(name, kind, least, most, fault)                                                 \
    pack_text(packer, #name), pack_##kind(packer, &message->name);
#define PACK_OWN(name, kind, fault) pack_text(packer, #name), pack_##kind(packer, message);
#define PACK_OPTIONAL(name, kind, present, fault)                                                  \
    if (present)                                                                                   \
    PACK_VALUE(name, kind, 0, 0, fault)
#define PACK_OWN_OPTIONAL(name, kind, present, fault)                                              \
    if (present)                                                                                   \
    PACK_OWN(name, kind, fault)

/* Packs the variable `message` as a map with the fields that the macro FIELDS lists. */
#define PACK_FIELDS(FIELDS)                                                                        \
    do {                                                                                           \
        msgpack_pack_map(packer,                                                                   \
                         (size_t)(0 FIELDS(ONE_VALUE, ONE_OWN, ONE_OPTIONAL, ONE_OWN_OPTIONAL)));  \
        FIELDS(PACK_VALUE, PACK_OWN, PACK_OPTIONAL, PACK_OWN_OPTIONAL)                             \
    } while (0)

__attribute__((always_inline)) static inline void pack_bytes(struct packer *packer,
                                                             const char *text, size_t size)
{
    msgpack_pack_str(packer, size);
    append(packer, text, size);
}

/* Always inline, because nearly every text is a literal, whose length the compiler then knows. */
__attribute__((always_inline)) static inline void pack_text(struct packer *packer, const char *text)
{
    pack_bytes(packer, text, strlen(text));
}

static inline void pack_boolean(struct packer *packer, const bool *value)
{
    if (*value)
        msgpack_pack_true(packer);
    else
        msgpack_pack_false(packer);
}

static void pack_numbers(struct packer *packer, const int8_t *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++)
        msgpack_pack_int8(packer, numbers[i]);
}

static void pack_counts(struct packer *packer, const uint8_t (*counts)[GAME_COLORS])
{
    msgpack_pack_array(packer, GAME_COLORS);
    for (int color = 0; color < GAME_COLORS; color++)
        msgpack_pack_uint8(packer, (*counts)[color]);
}

static void pack_action(struct packer *packer, struct action action)
{
    const bool has_counts = action.kind == ACTION_BONUS || action.kind == ACTION_PASS;
    const size_t number_count = action.kind == ACTION_DRAFT ? 2 : has_counts ? GAME_COLORS : 4;

    if (action.kind > ACTION_PASS)
        return;
    msgpack_pack_array(packer, has_counts ? 2 : 1 + number_count);
    pack_text(packer, notation_kinds[action.kind]);
    if (has_counts)
        msgpack_pack_array(packer, number_count);
    pack_numbers(packer, action.number, number_count);
}

#define PACK_INTEGER(kind, type)                                                                   \
    static inline void pack_##kind(struct packer *packer, const type *value)                       \
    {                                                                                              \
        msgpack_pack_##kind(packer, *value);                                                       \
    }
PACK_INTEGER(int8, int8_t)
PACK_INTEGER(uint8, uint8_t)
PACK_INTEGER(int32, int32_t)
PACK_INTEGER(int64, int64_t)

static inline void pack_string(struct packer *packer, const void *text)
{
    pack_text(packer, text);
}

#define pack_name pack_string

static void pack_stars(struct packer *packer, const struct position_seat *seat)
{
    msgpack_pack_array(packer, GAME_STARS);
    for (int star = 0; star < GAME_STARS; star++) {
        msgpack_pack_array(packer, GAME_SPACES);
        pack_numbers(packer, seat->stars[star], GAME_SPACES);
    }
}

static void pack_state_board(struct packer *packer, const struct position *state)
{
    pack_text(packer, notation_boards[state->board]);
}

static void pack_phase(struct packer *packer, const struct position *state)
{
    pack_text(packer, notation_phases[state->phase]);
}

static void pack_displays(struct packer *packer, const struct position *state)
{
    const int display_count = 2 * state->player_count + 1;

    msgpack_pack_array(packer, (size_t)display_count);
    for (int display = 0; display < display_count; display++)
        pack_counts(packer, &state->displays[display]);
}

static void pack_seats(struct packer *packer, const struct position *state)
{
    msgpack_pack_array(packer, state->player_count);
    for (int seat = 0; seat < state->player_count; seat++) {
        const struct position_seat *message = &state->seats[seat];

        PACK_FIELDS(SEAT_FIELDS);
    }
}

static void pack_state(struct packer *packer, const struct position *message)
{
    PACK_FIELDS(STATE_FIELDS);
}

static void pack_protocol(struct packer *packer, const struct wire_hello *hello)
{
    (void)hello;
    msgpack_pack_uint8(packer, WIRE_PROTOCOL);
}

static void pack_game(struct packer *packer, const struct wire_hello *hello)
{
    (void)hello;
    pack_text(packer, WIRE_GAME);
}

static void pack_player_count(struct packer *packer, const struct wire_hello *hello)
{
    msgpack_pack_int32(packer, hello->player_count);
}

static void pack_board(struct packer *packer, const struct wire_hello *hello)
{
    pack_text(packer, notation_boards[hello->board]);
}

static void pack_names(struct packer *packer, const struct wire_hello *hello)
{
    msgpack_pack_array(packer, (size_t)hello->player_count);
    for (int seat = 0; seat < hello->player_count; seat++)
        pack_text(packer, hello->names[seat]);
}

static void pack_clock(struct packer *packer, const struct wire_clock *message)
{
    PACK_FIELDS(CLOCK_FIELDS);
}

static void pack_seed(struct packer *packer, const struct wire_hello *hello)
{
    msgpack_pack_uint64(packer, hello->seed);
}

static void pack_actions(struct packer *packer, const struct wire_turn *turn)
{
    msgpack_pack_array(packer, turn->action_count);
    for (size_t i = 0; i < turn->action_count; i++)
        pack_action(packer, turn->actions[i]);
}

static void pack_events(struct packer *packer, const struct wire_turn *turn)
{
    msgpack_pack_array(packer, turn->event_count);
    for (size_t i = 0; i < turn->event_count; i++) {
        msgpack_pack_array(packer, 2);
        msgpack_pack_int32(packer, turn->events[i].seat);
        pack_action(packer, turn->events[i].action);
    }
}

static void pack_played(struct packer *packer, const struct wire_turn *turn)
{
    pack_action(packer, turn->played);
}

static void pack_act_action(struct packer *packer, const struct wire_act *act)
{
    if (act->kind == WIRE_ACT_INDEX)
        msgpack_pack_int64(packer, act->index);
    else if (act->kind == WIRE_ACT_ACTION && act->action.kind <= ACTION_PASS)
        pack_action(packer, act->action);
    else /* WIRE_ACT_OTHER: a value that names no action */
        msgpack_pack_nil(packer);
}

static void pack_note(struct packer *packer, const struct wire_act *act)
{
    pack_bytes(packer, act->note, act->note_bytes);
}

static void pack_expects(struct packer *packer, const struct wire_act *act)
{
    msgpack_pack_array(packer, 2);
    msgpack_pack_int32(packer, act->expects[0]);
    msgpack_pack_int32(packer, act->expects[1]);
}

static void pack_by_seat(struct packer *packer, const int *values, int count)
{
    msgpack_pack_array(packer, (size_t)count);
    for (int seat = 0; seat < count; seat++)
        msgpack_pack_int32(packer, values[seat]);
}

static void pack_scores(struct packer *packer, const struct wire_end *end)
{
    pack_by_seat(packer, end->scores, end->player_count);
}

static void pack_ranks(struct packer *packer, const struct wire_end *end)
{
    pack_by_seat(packer, end->ranks, end->player_count);
}

static void pack_reasons(struct packer *packer, const struct wire_end *end)
{
    msgpack_pack_array(packer, (size_t)end->player_count);
    for (int seat = 0; seat < end->player_count; seat++)
        pack_text(packer, wire_reason_name(end->reasons[seat]));
}

static size_t finish(const struct packer *packer, const uint8_t *buffer)
{
    return packer->is_full ? 0 : (size_t)(packer->at - buffer);
}

#define PACK_MESSAGE(name, FIELDS)                                                                 \
    size_t wire_pack_##name(uint8_t *buffer, size_t capacity, const struct wire_##name *message)   \
    {                                                                                              \
        static const char message_type[] = #name;                                                  \
        struct packer own = {buffer, buffer + capacity, false}, *packer = &own;                    \
                                                                                                   \
        PACK_FIELDS(FIELDS);                                                                       \
        return finish(packer, buffer);                                                             \
    }
PACK_MESSAGE(hello, HELLO_FIELDS)
PACK_MESSAGE(ready, READY_FIELDS)
PACK_MESSAGE(turn, TURN_FIELDS)
PACK_MESSAGE(act, ACT_FIELDS)
PACK_MESSAGE(end, END_FIELDS)

size_t wire_pack_action(uint8_t *buffer, size_t capacity, struct action action)
{
    struct packer packer = {buffer, buffer + capacity, false};

    pack_action(&packer, action);
    return finish(&packer, buffer);
}

/* ---- reading ---- */

/* One key of a map, with the function that reads its value. */
struct field {
    const char *name;
    size_t name_bytes;
    /* `target` points to the member at `offset`; `room` to data that the whole map shares. */
    bool (*read_fn)(struct wire_reader *reader, const struct field *field, void *target,
                    void *room);
    size_t offset;
    int64_t least, most;
    const char *wrong;   /* fault if read_fn returns false but names no fault */
    const char *missing; /* fault if the key is missing; NULL: the key is optional */
};

/* Macros that turn rows of a table into entries of struct field, for the type of *message. */
#define ROW(name, kind, offset, least, most, fault, missing)                                       \
    {#name, sizeof #name - 1, read_##kind, offset, least, most, #name " is " fault, missing},
#define PLACE(name)   offsetof(__typeof__(*message), name)
#define MISSING(name) "the message has no " #name
#define READ_VALUE(name, kind, least, most, fault)                                                 \
    ROW(name, kind, PLACE(name), least, most, fault, MISSING(name))
#define READ_OWN(name, kind, fault)                   ROW(name, kind, 0, 0, 0, fault, MISSING(name))
#define READ_OPTIONAL(name, kind, present, fault)     ROW(name, kind, PLACE(name), 0, 0, fault, NULL)
#define READ_OWN_OPTIONAL(name, kind, present, fault) ROW(name, kind, 0, 0, 0, fault, NULL)

static bool refuse(struct wire_reader *reader, const char *fault)
{
    if (!reader->fault)
        reader->fault = fault;
    return false;
}

/*
 * Returns the index of the field whose name is `key`, or field_count if there is none. Searches
 * from index `first` on, because keys usually arrive in the order of the table.
 */
static size_t find_field(const struct field *fields, size_t field_count, size_t first,
                         const char *key, size_t key_bytes)
{
    for (size_t i = 0; i < field_count; i++) {
        size_t index = first + i < field_count ? first + i : first + i - field_count;

        if (fields[index].name_bytes == key_bytes &&
            memcmp(fields[index].name, key, key_bytes) == 0)
            return index;
    }
    return field_count;
}

/* Reads a whole map and ignores unknown keys. Returns true, or false with reader->fault set. */
static bool read_map(struct wire_reader *reader, const struct field *fields, size_t field_count,
                     void *target, void *room)
{
    uint32_t pairs, seen = 0;
    size_t next = 0;

    if (!wire_read_map_header(reader, &pairs))
        return false;
    for (; pairs > 0; pairs--) {
        const char *key;
        size_t key_bytes, index;

        if (!wire_read_string(reader, &key, &key_bytes))
            return refuse(reader, "a key is not a string");
        index = find_field(fields, field_count, next, key, key_bytes);
        if (index == field_count) {
            if (!wire_read_past(reader))
                return false;
            continue;
        }
        if (seen & 1u << index)
            return refuse(reader, "a key comes twice");
        seen |= 1u << index;
        if (!fields[index].read_fn(reader, &fields[index], (char *)target + fields[index].offset,
                                   room))
            return refuse(reader, fields[index].wrong);
        next = index + 1;
    }
    for (size_t i = 0; i < field_count; i++)
        if (fields[i].missing && !(seen & 1u << i))
            return refuse(reader, fields[i].missing);
    return true;
}

/*
 * Declares a function of the type of read_fn. UNUSED marks arguments that most readers do not need.
 */
#define UNUSED __attribute__((unused))
#define READER(kind)                                                                               \
    static bool read_##kind(struct wire_reader *reader, const struct field *field UNUSED,          \
                            void *target UNUSED, void *room UNUSED)

#define READ_INTEGER(kind, type)                                                                   \
    READER(kind)                                                                                   \
    {                                                                                              \
        int64_t value;                                                                             \
                                                                                                   \
        if (!wire_read_integer(reader, field->least, field->most, &value))                         \
            return false;                                                                          \
        *(type *)target = (type)value;                                                             \
        return true;                                                                               \
    }
READ_INTEGER(int8, int8_t)
READ_INTEGER(uint8, uint8_t)
READ_INTEGER(int32, int32_t)
READ_INTEGER(int64, int64_t)

READER(boolean)
{
    return wire_read_bool(reader, target);
}

READER(counts)
{
    return wire_read_counts(reader, target);
}

/* Reads a text of at most field->most bytes; the member has room for a NUL, too. */
READER(string)
{
    return wire_read_text(reader, target, (size_t)field->most + 1, (size_t)field->most);
}

/* Reads a bot's name or version. The repair of invalid UTF-8 may make the text longer. */
READER(name)
{
    return wire_read_text(reader, target, WIRE_TEXT_BYTES_MAX, WIRE_NAME_BYTES_MAX);
}

READER(stars)
{
    struct position_seat *seat = target;
    uint32_t count;

    if (!wire_read_array_header(reader, &count) || count != GAME_STARS)
        return false;
    for (int star = 0; star < GAME_STARS; star++)
        if (!wire_read_array_header(reader, &count) || count != GAME_SPACES ||
            !wire_read_int8s(reader, GAME_EMPTY, GAME_COLORS - 1, seat->stars[star], GAME_SPACES))
            return false;
    return true;
}

READER(state_board)
{
    const int board = wire_read_name(reader, notation_boards, BOARD_GRAY + 1);

    ((struct position *)target)->board = (uint8_t)board;
    return board >= 0;
}

READER(phase)
{
    const int phase = wire_read_name(reader, notation_phases, PHASE_OVER + 1);

    ((struct position *)target)->phase = (uint8_t)phase;
    return phase >= 0;
}

/* `room` is the number of displays that the array had. */
READER(displays)
{
    uint32_t *display_count = room;

    if (!wire_read_array_header(reader, display_count) || *display_count > GAME_DISPLAYS_MAX)
        return false;
    for (uint32_t display = 0; display < *display_count; display++)
        if (!wire_read_counts(reader, ((struct position *)target)->displays[display]))
            return false;
    return true;
}

static bool read_seat(struct wire_reader *reader, struct position_seat *message)
{
    static const struct field fields[] = {
        SEAT_FIELDS(READ_VALUE, READ_OWN, READ_OPTIONAL, READ_OWN_OPTIONAL)};

    return read_map(reader, fields, sizeof fields / sizeof *fields, message, NULL);
}

READER(seats)
{
    struct position *state = target;
    uint32_t count;

    if (!wire_read_array_header(reader, &count) || count < GAME_PLAYERS_MIN ||
        count > GAME_PLAYERS_MAX)
        return false;
    for (uint32_t seat = 0; seat < count; seat++)
        if (!read_seat(reader, &state->seats[seat]))
            return false;
    state->player_count = (uint8_t)count;
    return true;
}

READER(state)
{
    struct position *message = target;
    static const struct field fields[] = {
        STATE_FIELDS(READ_VALUE, READ_OWN, READ_OPTIONAL, READ_OWN_OPTIONAL)};
    uint32_t display_count = 0;

    if (!read_map(reader, fields, sizeof fields / sizeof *fields, message, &display_count))
        return false;
    if (display_count != 2u * message->player_count + 1) {
        reader->fault = "the number of displays must be twice the number of players, plus one";
        return false;
    }
    return true;
}

static bool read_type_name(struct wire_reader *reader, enum wire_type *type)
{
    const int index = wire_read_name(reader, type_names, sizeof type_names / sizeof *type_names);

    if (index == -1)
        reader->fault = wire_type_unknown;
    *type = (enum wire_type)index;
    return index >= 0;
}

const char *wire_unpack_type(const uint8_t *bytes, size_t size, enum wire_type *type)
{
    struct wire_reader reader = {bytes, bytes + size, NULL};
    uint32_t pairs;

    if (!wire_read_map_header(&reader, &pairs))
        return "the message is not a map";
    for (; pairs > 0; pairs--) {
        const char *key;
        size_t key_bytes;

        if (!wire_read_string(&reader, &key, &key_bytes))
            return reader.fault ? reader.fault : "a key is not a string";
        if (key_bytes == 4 && memcmp(key, "type", 4) == 0) {
            if (!read_type_name(&reader, type))
                return reader.fault ? reader.fault : "type is not a string";
            return NULL;
        }
        if (!wire_read_past(&reader))
            return reader.fault;
    }
    return "the message has no type";
}

/* Skips the type, which wire_unpack_type has read. */
READER(type)
{
    return wire_read_past(reader);
}

/* Reads a message of one type: a map that ends with the message. Returns NULL or the fault. */
static const char *read_message(const uint8_t *bytes, size_t size, enum wire_type expected,
                                const struct field *fields, size_t field_count, void *target,
                                void *room)
{
    struct wire_reader reader = {bytes, bytes + size, NULL};
    enum wire_type type;
    const char *fault = wire_unpack_type(bytes, size, &type);

    if (fault)
        return fault;
    if (type != expected)
        return "the message has a valid type, but another type was expected";
    read_map(&reader, fields, field_count, target, room);
    return wire_read_end(&reader);
}

/*
 * Zeroes *message, except for the members whose initializers follow `room`, reads it, and declares
 * `fault`.
 */
#define READ_MESSAGE(FIELDS, type, room, ...)                                                      \
    static const struct field fields[] = {                                                         \
        FIELDS(READ_VALUE, READ_OWN, READ_OPTIONAL, READ_OWN_OPTIONAL)};                           \
    const char *fault =                                                                            \
        (*message = (__typeof__(*message)){__VA_ARGS__},                                           \
         read_message(bytes, size, type, fields, sizeof fields / sizeof *fields, message, room))

/* ---- hello ---- */

READER(protocol)
{
    int64_t protocol;

    if (!wire_read_integer(reader, INT64_MIN, INT64_MAX, &protocol))
        return false;
    if (protocol != WIRE_PROTOCOL)
        reader->fault = "protocol is not 1";
    return protocol == WIRE_PROTOCOL;
}

READER(game)
{
    static const char *const games[] = {WIRE_GAME};

    return wire_read_name(reader, games, 1) == 0;
}

READER(player_count)
{
    return wire_read_int(reader, GAME_PLAYERS_MIN, GAME_PLAYERS_MAX,
                         &((struct wire_hello *)target)->player_count);
}

READER(board)
{
    struct wire_hello *hello = target;
    int board = wire_read_name(reader, notation_boards, BOARD_GRAY + 1);

    hello->board = board == BOARD_GRAY ? BOARD_GRAY : BOARD_COLORED;
    return board >= 0;
}

READER(names)
{
    struct wire_hello *hello = target;
    uint32_t count;

    if (!wire_read_array_header(reader, &count) || count > GAME_PLAYERS_MAX)
        return false;
    for (uint32_t seat = 0; seat < count; seat++)
        if (!wire_read_text(reader, hello->names[seat], sizeof hello->names[seat],
                            WIRE_NAME_BYTES_MAX))
            return false;
    return true;
}

READER(clock)
{
    struct wire_clock *message = target;
    static const struct field fields[] = {
        CLOCK_FIELDS(READ_VALUE, READ_OWN, READ_OPTIONAL, READ_OWN_OPTIONAL)};

    return read_map(reader, fields, sizeof fields / sizeof *fields, message, NULL);
}

READER(seed)
{
    int64_t seed;

    if (!wire_read_integer(reader, 0, INT64_MAX, &seed))
        return false;
    ((struct wire_hello *)target)->seed = (uint64_t)seed;
    return true;
}

const char *wire_unpack_hello(const uint8_t *bytes, size_t size, struct wire_hello *message)
{
    READ_MESSAGE(HELLO_FIELDS, WIRE_HELLO, NULL);

    return !fault && message->seat >= message->player_count ? "seat is out of range" : fault;
}

/* ---- ready ---- */

const char *wire_unpack_ready(const uint8_t *bytes, size_t size, struct wire_ready *message)
{
    READ_MESSAGE(READY_FIELDS, WIRE_READY, NULL, .actions = true);

    return fault;
}

/* ---- turn ---- */

/* `room` for a turn message: the caller's buffers for the message's arrays. */
struct turn_room {
    struct action *actions;
    struct wire_event *events;
};

READER(actions)
{
    const struct turn_room *buffers = room;
    struct wire_turn *turn = target;
    uint32_t count;

    if (!wire_read_array_header(reader, &count) || count > GAME_ACTIONS_MAX)
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (!wire_read_action(reader, &buffers->actions[i]))
            return false;
    turn->actions = buffers->actions;
    turn->action_count = count;
    return true;
}

READER(events)
{
    const struct turn_room *buffers = room;
    struct wire_turn *turn = target;
    uint32_t count, parts;

    if (!wire_read_array_header(reader, &count) || count > WIRE_EVENTS_MAX)
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (!wire_read_array_header(reader, &parts) || parts != 2 ||
            !wire_read_int(reader, 0, GAME_PLAYERS_MAX - 1, &buffers->events[i].seat) ||
            !wire_read_action(reader, &buffers->events[i].action))
            return false;
    turn->events = buffers->events;
    turn->event_count = count;
    return true;
}

READER(played)
{
    struct wire_turn *turn = target;

    turn->has_played = wire_read_action(reader, &turn->played);
    return turn->has_played;
}

const char *wire_unpack_turn(const uint8_t *bytes, size_t size, struct wire_turn *message,
                             struct action actions[static GAME_ACTIONS_MAX],
                             struct wire_event events[static WIRE_EVENTS_MAX])
{
    struct turn_room room = {actions, events};
    READ_MESSAGE(TURN_FIELDS, WIRE_TURN, &room);

    return fault;
}

/* ---- act ---- */

/* Reads the action and accepts any value, because the arena checks later whether it is legal. */
READER(act_action)
{
    struct wire_act *act = target;
    struct wire_reader before = *reader;

    act->kind = WIRE_ACT_INDEX;
    if (wire_read_integer(reader, INT64_MIN, INT64_MAX, &act->index))
        return true;
    *reader = before;
    act->kind = WIRE_ACT_ACTION;
    act->index = 0;
    if (wire_read_action(reader, &act->action))
        return true;
    *reader = before;
    act->kind = WIRE_ACT_OTHER;
    act->action = (struct action){0};
    return wire_read_past(reader);
}

READER(note)
{
    struct wire_act *act = target;
    const char *text;
    size_t text_bytes;

    if (!wire_read_string(reader, &text, &text_bytes))
        return false;
    act->note_bytes = wire_repair_text(act->note, text, text_bytes, WIRE_NOTE_BYTES_MAX);
    act->has_note = true;
    return true;
}

/* Accepts any value, because bots may use this key for anything outside analyses. */
READER(expects)
{
    struct wire_act *act = target;
    struct wire_reader before = *reader;
    uint32_t count;

    act->has_expects = wire_read_array_header(reader, &count) && count == 2 &&
                       wire_read_int(reader, INT32_MIN, INT32_MAX, &act->expects[0]) &&
                       wire_read_int(reader, INT32_MIN, INT32_MAX, &act->expects[1]);
    if (act->has_expects)
        return true;
    *reader = before;
    return wire_read_past(reader);
}

const char *wire_unpack_act(const uint8_t *bytes, size_t size, struct wire_act *message)
{
    READ_MESSAGE(ACT_FIELDS, WIRE_ACT, NULL, .kind = WIRE_ACT_OTHER);

    return fault;
}

/* ---- end ---- */

/* `room` for an end message: the number of seats in each of the message's arrays. */
struct end_room {
    int score_count, rank_count, reason_count;
};

/* Reads an array with an integer per seat, and sets *count to its length. */
static bool read_by_seat(struct wire_reader *reader, int least, int most, int *values, int *count)
{
    uint32_t seats;

    if (!wire_read_array_header(reader, &seats) || seats > GAME_PLAYERS_MAX)
        return false;
    *count = (int)seats;
    for (int seat = 0; seat < *count; seat++)
        if (!wire_read_int(reader, least, most, &values[seat]))
            return false;
    return true;
}

READER(scores)
{
    return read_by_seat(reader, INT32_MIN, INT32_MAX, ((struct wire_end *)target)->scores,
                        &((struct end_room *)room)->score_count);
}

READER(ranks)
{
    return read_by_seat(reader, 1, GAME_PLAYERS_MAX, ((struct wire_end *)target)->ranks,
                        &((struct end_room *)room)->rank_count);
}

READER(reasons)
{
    uint32_t count;

    if (!wire_read_array_header(reader, &count) || count > GAME_PLAYERS_MAX)
        return false;
    ((struct end_room *)room)->reason_count = (int)count;
    for (uint32_t seat = 0; seat < count; seat++) {
        int reason = wire_read_name(reader, wire_reason_names, WIRE_REASON_COUNT);

        if (reason < 0)
            return false;
        ((struct wire_end *)target)->reasons[seat] = (enum wire_reason)reason;
    }
    return true;
}

const char *wire_unpack_end(const uint8_t *bytes, size_t size, struct wire_end *message)
{
    struct end_room room = {0};
    READ_MESSAGE(END_FIELDS, WIRE_END, &room);

    if (fault)
        return fault;
    message->player_count = message->state.player_count;
    if (room.score_count != message->player_count || room.rank_count != message->player_count ||
        room.reason_count != message->player_count)
        return "scores, ranks, reason and state must have one value per seat";
    return NULL;
}
