#include "sdk/wire.h"

#include <string.h>

#include "engine/notation.h"
#include "sdk/wire_read.h"

static const char *const type_names[] = {
    [WIRE_HELLO] = "hello", [WIRE_READY] = "ready", [WIRE_TURN] = "turn",
    [WIRE_ACT] = "act",     [WIRE_END] = "end",
};

const char wire_type_unknown[] = "type is none that this protocol knows";

static bool read_type(struct wire_reader *reader, void *target)
{
    enum wire_type *type = target;
    int index = wire_read_name(reader, type_names, sizeof type_names / sizeof *type_names);

    if (index == -1)
        reader->fault = wire_type_unknown;
    *type = (enum wire_type)index;
    return index >= 0;
}

/* Reads a message of one type: its map, which nothing may follow. */
static const char *read_message(const uint8_t *bytes, size_t size, enum wire_type expected,
                                const struct wire_field *fields, size_t field_count, void *target)
{
    struct wire_reader reader = {bytes, bytes + size, NULL};
    enum wire_type type;
    const char *fault = wire_unpack_type(bytes, size, &type);

    if (fault)
        return fault;
    if (type != expected)
        return "type is not the one that is due";
    wire_read_map(&reader, fields, field_count, target);
    return wire_read_end(&reader);
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
            if (!read_type(&reader, type))
                return reader.fault ? reader.fault : "type is not a string";
            return NULL;
        }
        if (!wire_read_past(&reader))
            return reader.fault;
    }
    return "the message has no type";
}

/* ---- hello ---- */

static bool read_protocol(struct wire_reader *reader, void *target)
{
    int64_t protocol;

    (void)target;
    if (!wire_read_integer(reader, INT64_MIN, INT64_MAX, &protocol))
        return false;
    if (protocol != WIRE_PROTOCOL)
        reader->fault = "protocol is not 1";
    return protocol == WIRE_PROTOCOL;
}

static bool read_game(struct wire_reader *reader, void *target)
{
    static const char *const games[] = {WIRE_GAME};

    (void)target;
    return wire_read_name(reader, games, 1) == 0;
}

static bool read_match(struct wire_reader *reader, void *target)
{
    struct wire_hello *hello = target;

    return wire_read_text(reader, hello->match, sizeof hello->match, sizeof hello->match - 1);
}

static bool read_hello_seat(struct wire_reader *reader, void *target)
{
    return wire_read_int(reader, 0, GAME_PLAYERS_MAX - 1, &((struct wire_hello *)target)->seat);
}

static bool read_player_count(struct wire_reader *reader, void *target)
{
    return wire_read_int(reader, GAME_PLAYERS_MIN, GAME_PLAYERS_MAX,
                         &((struct wire_hello *)target)->player_count);
}

static bool read_hello_board(struct wire_reader *reader, void *target)
{
    struct wire_hello *hello = target;
    int board = wire_read_name(reader, notation_boards, BOARD_GRAY + 1);

    hello->board = board == BOARD_GRAY ? BOARD_GRAY : BOARD_COLORED;
    return board >= 0;
}

static bool read_names(struct wire_reader *reader, void *target)
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

static bool read_turn_ms(struct wire_reader *reader, void *target)
{
    return wire_read_integer(reader, 0, INT64_MAX, &((struct wire_clock *)target)->turn_ms);
}

static bool read_clock_bank_ms(struct wire_reader *reader, void *target)
{
    return wire_read_integer(reader, 0, INT64_MAX, &((struct wire_clock *)target)->bank_ms);
}

static bool read_gain_ms(struct wire_reader *reader, void *target)
{
    return wire_read_integer(reader, 0, INT64_MAX, &((struct wire_clock *)target)->gain_ms);
}

static bool read_start_ms(struct wire_reader *reader, void *target)
{
    return wire_read_integer(reader, 0, INT64_MAX, &((struct wire_clock *)target)->start_ms);
}

static bool read_clock(struct wire_reader *reader, void *target)
{
    static const struct wire_field fields[] = {
        WIRE_FIELD("turn_ms", read_turn_ms, "not a count of milliseconds", true),
        WIRE_FIELD("bank_ms", read_clock_bank_ms, "not a count of milliseconds", true),
        WIRE_FIELD("gain_ms", read_gain_ms, "not a count of milliseconds", true),
        WIRE_FIELD("start_ms", read_start_ms, "not a count of milliseconds", true),
    };

    return wire_read_map(reader, fields, sizeof fields / sizeof *fields,
                         &((struct wire_hello *)target)->clock);
}

static bool read_seed(struct wire_reader *reader, void *target)
{
    int64_t seed;

    if (!wire_read_integer(reader, 0, INT64_MAX, &seed))
        return false;
    ((struct wire_hello *)target)->seed = (uint64_t)seed;
    return true;
}

const char *wire_unpack_hello(const uint8_t *bytes, size_t size, struct wire_hello *hello)
{
    static const struct wire_field fields[] = {
        WIRE_FIELD("type", wire_read_past_field, "not a string", true),
        WIRE_FIELD("protocol", read_protocol, "not an integer", true),
        WIRE_FIELD("game", read_game, "not summer-pavilion", true),
        WIRE_FIELD("match", read_match, "not a string", true),
        WIRE_FIELD("seat", read_hello_seat, "out of range", true),
        WIRE_FIELD("players", read_player_count, "not a valid player count", true),
        WIRE_FIELD("board", read_hello_board, "neither colored nor gray", true),
        WIRE_FIELD("names", read_names, "not an array of strings by seat", true),
        WIRE_FIELD("clock", read_clock, "not a map", true),
        WIRE_FIELD("seed", read_seed, "not an integer from 0", true),
    };
    const char *fault;

    memset(hello, 0, sizeof *hello);
    fault = read_message(bytes, size, WIRE_HELLO, fields, sizeof fields / sizeof *fields, hello);
    if (!fault && hello->seat >= hello->player_count)
        return "seat is out of range";
    return fault;
}

/* ---- ready ---- */

static bool read_name(struct wire_reader *reader, void *target)
{
    struct wire_ready *ready = target;

    return wire_read_text(reader, ready->name, sizeof ready->name, WIRE_NAME_BYTES_MAX);
}

static bool read_version(struct wire_reader *reader, void *target)
{
    struct wire_ready *ready = target;

    return wire_read_text(reader, ready->version, sizeof ready->version, WIRE_NAME_BYTES_MAX);
}

static bool read_wants_actions(struct wire_reader *reader, void *target)
{
    return wire_read_bool(reader, &((struct wire_ready *)target)->actions);
}

const char *wire_unpack_ready(const uint8_t *bytes, size_t size, struct wire_ready *ready)
{
    static const struct wire_field fields[] = {
        WIRE_FIELD("type", wire_read_past_field, "not a string", true),
        WIRE_FIELD("name", read_name, "not a string", false),
        WIRE_FIELD("version", read_version, "not a string", false),
        WIRE_FIELD("actions", read_wants_actions, "not a boolean", false),
    };

    ready->name[0] = '\0';
    ready->version[0] = '\0';
    ready->actions = true;
    return read_message(bytes, size, WIRE_READY, fields, sizeof fields / sizeof *fields, ready);
}

/* ---- turn ---- */

/* A turn and the caller's buffers for its arrays. */
struct turn_room {
    struct wire_turn *turn;
    struct action *actions;
    struct wire_event *events;
};

static bool read_turn_number(struct wire_reader *reader, void *target)
{
    return wire_read_integer(reader, 0, INT64_MAX, &((struct turn_room *)target)->turn->turn);
}

static bool read_turn_state(struct wire_reader *reader, void *target)
{
    return wire_read_state(reader, &((struct turn_room *)target)->turn->state);
}

static bool read_actions(struct wire_reader *reader, void *target)
{
    struct turn_room *room = target;
    uint32_t count;

    if (!wire_read_array_header(reader, &count) || count > GAME_ACTIONS_MAX)
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (!wire_read_action(reader, &room->actions[i]))
            return false;
    room->turn->actions = room->actions;
    room->turn->action_count = count;
    return true;
}

static bool read_turn_bank_ms(struct wire_reader *reader, void *target)
{
    return wire_read_integer(reader, 0, INT64_MAX, &((struct turn_room *)target)->turn->bank_ms);
}

static bool read_events(struct wire_reader *reader, void *target)
{
    struct turn_room *room = target;
    uint32_t count, parts;

    if (!wire_read_array_header(reader, &count) || count > WIRE_EVENTS_MAX)
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (!wire_read_array_header(reader, &parts) || parts != 2 ||
            !wire_read_int(reader, 0, GAME_PLAYERS_MAX - 1, &room->events[i].seat) ||
            !wire_read_action(reader, &room->events[i].action))
            return false;
    room->turn->events = room->events;
    room->turn->event_count = count;
    return true;
}

const char *wire_unpack_turn(const uint8_t *bytes, size_t size, struct wire_turn *turn,
                             struct action actions[static GAME_ACTIONS_MAX],
                             struct wire_event events[static WIRE_EVENTS_MAX])
{
    static const struct wire_field fields[] = {
        WIRE_FIELD("type", wire_read_past_field, "not a string", true),
        WIRE_FIELD("turn", read_turn_number, "not an integer from 0", true),
        WIRE_FIELD("state", read_turn_state, "not a map", true),
        WIRE_FIELD("actions", read_actions, "not an array of actions", false),
        WIRE_FIELD("bank_ms", read_turn_bank_ms, "not a count of milliseconds", true),
        WIRE_FIELD("events", read_events, "not an array of [seat, action]", true),
    };
    struct turn_room room = {turn, actions, events};

    memset(turn, 0, sizeof *turn);
    return read_message(bytes, size, WIRE_TURN, fields, sizeof fields / sizeof *fields, &room);
}

/* ---- act ---- */

static bool read_act_turn(struct wire_reader *reader, void *target)
{
    return wire_read_integer(reader, INT64_MIN, INT64_MAX, &((struct wire_act *)target)->turn);
}

/* Accepts any value: whether an action is legal is for the rules to decide. */
static bool read_act_action(struct wire_reader *reader, void *target)
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

static bool read_note(struct wire_reader *reader, void *target)
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

const char *wire_unpack_act(const uint8_t *bytes, size_t size, struct wire_act *act)
{
    static const struct wire_field fields[] = {
        WIRE_FIELD("type", wire_read_past_field, "not a string", true),
        WIRE_FIELD("turn", read_act_turn, "not an integer of 64 bits", true),
        WIRE_FIELD("action", read_act_action, "not a value", true),
        WIRE_FIELD("note", read_note, "not a string", false),
    };

    act->turn = 0;
    act->kind = WIRE_ACT_OTHER;
    act->index = 0;
    act->action = (struct action){0};
    act->note[0] = '\0';
    act->note_bytes = 0;
    act->has_note = false;
    return read_message(bytes, size, WIRE_ACT, fields, sizeof fields / sizeof *fields, act);
}

/* ---- end ---- */

/* An end message, and the number of seats in each of its arrays. */
struct end_room {
    struct wire_end *end;
    int score_count;
    int rank_count;
    int reason_count;
};

/* Reads the header of an array by seat. */
static bool read_seat_count(struct wire_reader *reader, int *count)
{
    uint32_t values;

    if (!wire_read_array_header(reader, &values) || values > GAME_PLAYERS_MAX)
        return false;
    *count = (int)values;
    return true;
}

static bool read_scores(struct wire_reader *reader, void *target)
{
    struct end_room *room = target;

    if (!read_seat_count(reader, &room->score_count))
        return false;
    for (int seat = 0; seat < room->score_count; seat++)
        if (!wire_read_int(reader, INT32_MIN, INT32_MAX, &room->end->scores[seat]))
            return false;
    return true;
}

static bool read_ranks(struct wire_reader *reader, void *target)
{
    struct end_room *room = target;

    if (!read_seat_count(reader, &room->rank_count))
        return false;
    for (int seat = 0; seat < room->rank_count; seat++)
        if (!wire_read_int(reader, 1, GAME_PLAYERS_MAX, &room->end->ranks[seat]))
            return false;
    return true;
}

static bool read_reasons(struct wire_reader *reader, void *target)
{
    struct end_room *room = target;

    if (!read_seat_count(reader, &room->reason_count))
        return false;
    for (int seat = 0; seat < room->reason_count; seat++) {
        int reason = wire_read_name(reader, wire_reason_names, WIRE_REASON_COUNT);

        if (reason < 0)
            return false;
        room->end->reasons[seat] = (enum wire_reason)reason;
    }
    return true;
}

static bool read_end_state(struct wire_reader *reader, void *target)
{
    return wire_read_state(reader, &((struct end_room *)target)->end->state);
}

const char *wire_unpack_end(const uint8_t *bytes, size_t size, struct wire_end *end)
{
    static const struct wire_field fields[] = {
        WIRE_FIELD("type", wire_read_past_field, "not a string", true),
        WIRE_FIELD("scores", read_scores, "not an array of integers by seat", true),
        WIRE_FIELD("ranks", read_ranks, "not an array of ranks by seat", true),
        WIRE_FIELD("reason", read_reasons, "not an array of reasons by seat", true),
        WIRE_FIELD("state", read_end_state, "not a map", true),
    };
    struct end_room room = {end, 0, 0, 0};
    const char *fault;

    memset(end, 0, sizeof *end);
    fault = read_message(bytes, size, WIRE_END, fields, sizeof fields / sizeof *fields, &room);
    if (fault)
        return fault;
    end->player_count = end->state.player_count;
    if (room.score_count != end->player_count || room.rank_count != end->player_count ||
        room.reason_count != end->player_count)
        return "scores, ranks, reason and state differ in their number of seats";
    return NULL;
}

/* ---- parts of messages ---- */

const char *wire_unpack_action(const uint8_t *bytes, size_t size, struct action *action)
{
    struct wire_reader reader = {bytes, bytes + size, NULL};

    if (!wire_read_action(&reader, action))
        return "not an action";
    return wire_read_end(&reader);
}

const char *wire_unpack_state(const uint8_t *bytes, size_t size, struct position *state)
{
    struct wire_reader reader = {bytes, bytes + size, NULL};

    if (!wire_read_state(&reader, state))
        return reader.fault ? reader.fault : "not a map";
    return wire_read_end(&reader);
}
