#include "sdk/wire.h"

#include <string.h>

#include <msgpack/pack_define.h>
#include <msgpack/timestamp.h>

/* Position of the next byte. Once something does not fit, nothing more is written. */
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
 * msgpack-c's packer, inlined with our own buffer: its usual callback would cost an indirect call
 * per integer, and a turn has about 700 of them.
 */
#define msgpack_pack_inline_func(name)                  static inline void msgpack_pack##name
#define msgpack_pack_user                               struct packer *
#define msgpack_pack_append_buffer(packer, bytes, size) append(packer, bytes, size)
#include <msgpack/pack_template.h>

#include "engine/notation.h"

__attribute__((always_inline)) static inline void pack_bytes(struct packer *packer,
                                                             const char *text, size_t size)
{
    msgpack_pack_str(packer, size);
    append(packer, text, size);
}

/*
 * Always inline: nearly every text is a literal, whose length and copy are then compile-time
 * constants.
 */
__attribute__((always_inline)) static inline void pack_text(struct packer *packer, const char *text)
{
    pack_bytes(packer, text, strlen(text));
}

static inline void pack_bool(struct packer *packer, bool value)
{
    if (value)
        msgpack_pack_true(packer);
    else
        msgpack_pack_false(packer);
}

/*
 * Most of a turn consists of small numbers. MessagePack encodes each number from -32 to 127 as one
 * byte with the same value, so a run of them is copied.
 */
static bool are_small(const int8_t *numbers, size_t count)
{
    int least = 0;

    for (size_t i = 0; i < count; i++)
        least = numbers[i] < least ? numbers[i] : least;
    return least >= -32;
}

static void pack_numbers(struct packer *packer, const int8_t *numbers, size_t count)
{
    if (are_small(numbers, count)) {
        append(packer, numbers, count);
        return;
    }
    for (size_t i = 0; i < count; i++)
        msgpack_pack_int8(packer, numbers[i]);
}

/* Packs an array with a number for each color, or for each space of a star. */
static void pack_six(struct packer *packer, const int8_t numbers[static GAME_COLORS])
{
    const uint8_t six = 0x90 | GAME_COLORS;

    append(packer, &six, sizeof six);
    pack_numbers(packer, numbers, GAME_COLORS);
}

static void pack_counts(struct packer *packer, const uint8_t counts[static GAME_COLORS])
{
    uint8_t all = 0;

    for (int color = 0; color < GAME_COLORS; color++)
        all |= counts[color];
    if (all < 0x80) {
        pack_six(packer, (const int8_t *)counts);
        return;
    }
    msgpack_pack_array(packer, GAME_COLORS);
    for (int color = 0; color < GAME_COLORS; color++)
        msgpack_pack_uint8(packer, counts[color]);
}

static void pack_action(struct packer *packer, struct action action)
{
    /*
     * The bytes before the numbers of each kind: array header, name and, for counts, another array
     * header.
     */
    static const struct {
        char head[9];
        uint8_t head_bytes;
        uint8_t number_count;
    } forms[] = {
        [ACTION_DRAFT] = {"\x93\xa5"
                          "draft",
                          7, 2},
        [ACTION_PLACE] = {"\x95\xa5"
                          "place",
                          7, 4},
        [ACTION_BONUS] = {"\x92\xa5"
                          "bonus"
                          "\x96",
                          8, GAME_COLORS},
        [ACTION_PASS] = {"\x92\xa4"
                         "pass"
                         "\x96",
                         7, GAME_COLORS},
    };
    size_t head_bytes, number_count;

    if (action.kind >= sizeof forms / sizeof *forms)
        return;
    head_bytes = forms[action.kind].head_bytes;
    number_count = forms[action.kind].number_count;
    if ((size_t)(packer->end - packer->at) >= sizeof forms->head + sizeof action.number &&
        are_small(action.number, sizeof action.number)) {
        /*
         * Always copies whole arrays, which is faster; the bytes beyond are overwritten by what
         * is packed next, or never sent.
         */
        memcpy(packer->at, forms[action.kind].head, sizeof forms->head);
        memcpy(packer->at + head_bytes, action.number, sizeof action.number);
        packer->at += head_bytes + number_count;
        return;
    }
    append(packer, forms[action.kind].head, head_bytes);
    pack_numbers(packer, action.number, number_count);
}

static void pack_seat(struct packer *packer, const struct position_seat *seat)
{
    msgpack_pack_map(packer, 5);
    pack_text(packer, "score");
    msgpack_pack_int32(packer, seat->score);
    pack_text(packer, "hand");
    pack_counts(packer, seat->hand);
    pack_text(packer, "corners");
    pack_counts(packer, seat->corners);
    pack_text(packer, "passed");
    pack_bool(packer, seat->passed);
    pack_text(packer, "stars");
    msgpack_pack_array(packer, GAME_STARS);
    for (int star = 0; star < GAME_STARS; star++)
        pack_six(packer, seat->stars[star]);
}

static void pack_state(struct packer *packer, const struct position *state)
{
    int display_count = 2 * state->player_count + 1;

    msgpack_pack_map(packer, 14);
    pack_text(packer, "board");
    pack_text(packer, notation_boards[state->board]);
    pack_text(packer, "round");
    msgpack_pack_uint8(packer, state->round);
    pack_text(packer, "phase");
    pack_text(packer, notation_phases[state->phase]);
    pack_text(packer, "player");
    msgpack_pack_int8(packer, state->player);
    pack_text(packer, "wild");
    msgpack_pack_uint8(packer, state->wild);
    pack_text(packer, "start");
    msgpack_pack_uint8(packer, state->start);
    pack_text(packer, "token");
    msgpack_pack_int8(packer, state->token);
    pack_text(packer, "bonus");
    msgpack_pack_uint8(packer, state->bonus);
    pack_text(packer, "displays");
    msgpack_pack_array(packer, (size_t)display_count);
    for (int display = 0; display < display_count; display++)
        pack_counts(packer, state->displays[display]);
    pack_text(packer, "center");
    pack_counts(packer, state->center);
    pack_text(packer, "supply");
    pack_counts(packer, state->supply);
    pack_text(packer, "bag");
    pack_counts(packer, state->bag);
    pack_text(packer, "tower");
    pack_counts(packer, state->tower);
    pack_text(packer, "players");
    msgpack_pack_array(packer, state->player_count);
    for (int seat = 0; seat < state->player_count; seat++)
        pack_seat(packer, &state->seats[seat]);
}

static struct packer start(uint8_t *buffer, size_t capacity)
{
    return (struct packer){buffer, buffer + capacity, false};
}

static size_t finish(const struct packer *packer, const uint8_t *buffer)
{
    return packer->is_full ? 0 : (size_t)(packer->at - buffer);
}

size_t wire_pack_hello(uint8_t *buffer, size_t capacity, const struct wire_hello *hello)
{
    struct packer packer = start(buffer, capacity);

    msgpack_pack_map(&packer, 10);
    pack_text(&packer, "type");
    pack_text(&packer, "hello");
    pack_text(&packer, "protocol");
    msgpack_pack_uint8(&packer, WIRE_PROTOCOL);
    pack_text(&packer, "game");
    pack_text(&packer, WIRE_GAME);
    pack_text(&packer, "match");
    pack_text(&packer, hello->match);
    pack_text(&packer, "seat");
    msgpack_pack_int32(&packer, hello->seat);
    pack_text(&packer, "players");
    msgpack_pack_int32(&packer, hello->player_count);
    pack_text(&packer, "board");
    pack_text(&packer, notation_boards[hello->board]);
    pack_text(&packer, "names");
    msgpack_pack_array(&packer, (size_t)hello->player_count);
    for (int seat = 0; seat < hello->player_count; seat++)
        pack_text(&packer, hello->names[seat]);
    pack_text(&packer, "clock");
    msgpack_pack_map(&packer, 4);
    pack_text(&packer, "turn_ms");
    msgpack_pack_int64(&packer, hello->clock.turn_ms);
    pack_text(&packer, "bank_ms");
    msgpack_pack_int64(&packer, hello->clock.bank_ms);
    pack_text(&packer, "gain_ms");
    msgpack_pack_int64(&packer, hello->clock.gain_ms);
    pack_text(&packer, "start_ms");
    msgpack_pack_int64(&packer, hello->clock.start_ms);
    pack_text(&packer, "seed");
    msgpack_pack_uint64(&packer, hello->seed);
    return finish(&packer, buffer);
}

size_t wire_pack_ready(uint8_t *buffer, size_t capacity, const struct wire_ready *ready)
{
    struct packer packer = start(buffer, capacity);

    msgpack_pack_map(&packer, (size_t)1 + (ready->name[0] != '\0') + (ready->version[0] != '\0') +
                                  !ready->actions);
    pack_text(&packer, "type");
    pack_text(&packer, "ready");
    if (ready->name[0] != '\0') {
        pack_text(&packer, "name");
        pack_text(&packer, ready->name);
    }
    if (ready->version[0] != '\0') {
        pack_text(&packer, "version");
        pack_text(&packer, ready->version);
    }
    if (!ready->actions) {
        pack_text(&packer, "actions");
        pack_bool(&packer, false);
    }
    return finish(&packer, buffer);
}

size_t wire_pack_turn(uint8_t *buffer, size_t capacity, const struct wire_turn *turn)
{
    struct packer packer = start(buffer, capacity);

    msgpack_pack_map(&packer, turn->actions ? 6 : 5);
    pack_text(&packer, "type");
    pack_text(&packer, "turn");
    pack_text(&packer, "turn");
    msgpack_pack_int64(&packer, turn->turn);
    pack_text(&packer, "state");
    pack_state(&packer, &turn->state);
    if (turn->actions) {
        pack_text(&packer, "actions");
        msgpack_pack_array(&packer, turn->action_count);
        for (size_t i = 0; i < turn->action_count; i++)
            pack_action(&packer, turn->actions[i]);
    }
    pack_text(&packer, "bank_ms");
    msgpack_pack_int64(&packer, turn->bank_ms);
    pack_text(&packer, "events");
    msgpack_pack_array(&packer, turn->event_count);
    for (size_t i = 0; i < turn->event_count; i++) {
        msgpack_pack_array(&packer, 2);
        msgpack_pack_int32(&packer, turn->events[i].seat);
        pack_action(&packer, turn->events[i].action);
    }
    return finish(&packer, buffer);
}

size_t wire_pack_act(uint8_t *buffer, size_t capacity, const struct wire_act *act)
{
    struct packer packer = start(buffer, capacity);

    msgpack_pack_map(&packer, act->has_note ? 4 : 3);
    pack_text(&packer, "type");
    pack_text(&packer, "act");
    pack_text(&packer, "turn");
    msgpack_pack_int64(&packer, act->turn);
    pack_text(&packer, "action");
    switch (act->kind) {
    case WIRE_ACT_INDEX:
        msgpack_pack_int64(&packer, act->index);
        break;
    case WIRE_ACT_ACTION:
        if (act->action.kind > ACTION_PASS) /* of no kind there is: illegal, and a whole message */
            msgpack_pack_nil(&packer);
        else
            pack_action(&packer, act->action);
        break;
    case WIRE_ACT_OTHER:
        msgpack_pack_nil(&packer);
        break;
    }
    if (act->has_note) {
        pack_text(&packer, "note");
        pack_bytes(&packer, act->note, act->note_bytes);
    }
    return finish(&packer, buffer);
}

size_t wire_pack_end(uint8_t *buffer, size_t capacity, const struct wire_end *end)
{
    struct packer packer = start(buffer, capacity);

    msgpack_pack_map(&packer, 5);
    pack_text(&packer, "type");
    pack_text(&packer, "end");
    pack_text(&packer, "scores");
    msgpack_pack_array(&packer, (size_t)end->player_count);
    for (int seat = 0; seat < end->player_count; seat++)
        msgpack_pack_int32(&packer, end->scores[seat]);
    pack_text(&packer, "ranks");
    msgpack_pack_array(&packer, (size_t)end->player_count);
    for (int seat = 0; seat < end->player_count; seat++)
        msgpack_pack_int32(&packer, end->ranks[seat]);
    pack_text(&packer, "reason");
    msgpack_pack_array(&packer, (size_t)end->player_count);
    for (int seat = 0; seat < end->player_count; seat++)
        pack_text(&packer, wire_reason_name(end->reasons[seat]));
    pack_text(&packer, "state");
    pack_state(&packer, &end->state);
    return finish(&packer, buffer);
}

size_t wire_pack_action(uint8_t *buffer, size_t capacity, struct action action)
{
    struct packer packer = start(buffer, capacity);

    pack_action(&packer, action);
    return finish(&packer, buffer);
}

size_t wire_pack_state(uint8_t *buffer, size_t capacity, const struct position *state)
{
    struct packer packer = start(buffer, capacity);

    pack_state(&packer, state);
    return finish(&packer, buffer);
}
