/* A packed message scans as one complete message and unpacks unchanged. */
#include <criterion/criterion.h>
#include <string.h>

#include "tests/sdk/sample.h"

enum {
    ROUNDS = 500 /* messages of each type */
};

static uint8_t buffer[WIRE_MESSAGE_BYTES_MAX];

/* The packed message scans as complete, and no prefix of it does. */
static void check_scan(size_t size)
{
    struct wire_scan scan = {0};

    cr_assert_gt(size, 0);
    cr_assert_eq(wire_scan(&scan, buffer, size), WIRE_SCAN_COMPLETE, "%s", scan.fault);
    cr_assert_eq(scan.offset, size);
}

Test(wire_round_trip, hello)
{
    struct sample sample = {1};

    for (int round = 0; round < ROUNDS; round++) {
        struct wire_hello packed = sample_hello(&sample), unpacked;
        size_t size = wire_pack_hello(buffer, sizeof buffer, &packed);
        const char *fault;

        check_scan(size);
        memset(&unpacked, 0xff, sizeof unpacked);
        fault = wire_unpack_hello(buffer, size, &unpacked);
        cr_assert_null(fault, "%s", fault);
        cr_assert_str_eq(packed.match, unpacked.match);
        cr_assert_eq(packed.seat, unpacked.seat);
        cr_assert_eq(packed.player_count, unpacked.player_count);
        cr_assert_eq(packed.board, unpacked.board);
        cr_assert_eq(packed.seed, unpacked.seed);
        cr_assert_eq(memcmp(&packed.clock, &unpacked.clock, sizeof packed.clock), 0);
        for (int seat = 0; seat < GAME_PLAYERS_MAX; seat++)
            cr_assert_str_eq(packed.names[seat], unpacked.names[seat]);
    }
}

Test(wire_round_trip, ready)
{
    struct sample sample = {2};

    for (int round = 0; round < ROUNDS; round++) {
        struct wire_ready packed = sample_ready(&sample), unpacked;
        size_t size = wire_pack_ready(buffer, sizeof buffer, &packed);
        const char *fault;

        check_scan(size);
        memset(&unpacked, 0xff, sizeof unpacked);
        fault = wire_unpack_ready(buffer, size, &unpacked);
        cr_assert_null(fault, "%s", fault);
        cr_assert_str_eq(packed.name, unpacked.name);
        cr_assert_str_eq(packed.version, unpacked.version);
        cr_assert_eq(packed.actions, unpacked.actions);
    }
}

Test(wire_round_trip, turn)
{
    static struct action packed_actions[GAME_ACTIONS_MAX], actions[GAME_ACTIONS_MAX];
    static struct wire_event packed_events[WIRE_EVENTS_MAX], events[WIRE_EVENTS_MAX];
    struct sample sample = {3};

    for (int round = 0; round < ROUNDS; round++) {
        struct wire_turn packed = sample_turn(&sample, packed_actions, packed_events), unpacked;
        size_t size = wire_pack_turn(buffer, sizeof buffer, &packed);
        const char *fault;

        check_scan(size);
        memset(&unpacked, 0xff, sizeof unpacked);
        fault = wire_unpack_turn(buffer, size, &unpacked, actions, events);
        cr_assert_null(fault, "%s", fault);
        cr_assert_eq(packed.turn, unpacked.turn);
        cr_assert_eq(packed.bank_ms, unpacked.bank_ms);
        cr_assert_eq(memcmp(&packed.state, &unpacked.state, sizeof packed.state), 0);
        cr_assert_eq(packed.actions == NULL, unpacked.actions == NULL);
        cr_assert_eq(packed.action_count, unpacked.action_count);
        cr_assert_eq(memcmp(packed_actions, actions, packed.action_count * sizeof *actions), 0);
        cr_assert_eq(packed.event_count, unpacked.event_count);
        for (size_t i = 0; i < packed.event_count; i++) {
            cr_assert_eq(packed_events[i].seat, events[i].seat);
            cr_assert_eq(
                memcmp(&packed_events[i].action, &events[i].action, sizeof events[i].action), 0);
        }
    }
}

Test(wire_round_trip, act)
{
    struct sample sample = {4};

    for (int round = 0; round < ROUNDS; round++) {
        struct wire_act packed = sample_act(&sample), unpacked;
        size_t size = wire_pack_act(buffer, sizeof buffer, &packed);
        const char *fault;

        check_scan(size);
        memset(&unpacked, 0xff, sizeof unpacked);
        fault = wire_unpack_act(buffer, size, &unpacked);
        cr_assert_null(fault, "%s", fault);
        cr_assert_eq(packed.turn, unpacked.turn);
        cr_assert_eq(packed.kind, unpacked.kind);
        if (packed.kind == WIRE_ACT_INDEX)
            cr_assert_eq(packed.index, unpacked.index);
        if (packed.kind == WIRE_ACT_ACTION)
            cr_assert_eq(memcmp(&packed.action, &unpacked.action, sizeof packed.action), 0);
        cr_assert_eq(packed.has_note, unpacked.has_note);
        cr_assert_eq(packed.note_bytes, unpacked.note_bytes);
        cr_assert_str_eq(packed.note, unpacked.note);
    }
}

Test(wire_round_trip, an_action_of_no_kind_is_a_whole_message)
{
    for (int kind = ACTION_PASS + 1; kind <= UINT8_MAX; kind++) {
        struct wire_act packed = {.kind = WIRE_ACT_ACTION, .action.kind = (uint8_t)kind}, unpacked;
        size_t size = wire_pack_act(buffer, sizeof buffer, &packed);
        const char *fault;

        check_scan(size);
        fault = wire_unpack_act(buffer, size, &unpacked);
        cr_assert_null(fault, "%s", fault);
        cr_assert_eq(unpacked.kind, WIRE_ACT_OTHER);
    }
}

Test(wire_round_trip, end)
{
    struct sample sample = {5};

    for (int round = 0; round < ROUNDS; round++) {
        struct wire_end packed = sample_end(&sample), unpacked;
        size_t size = wire_pack_end(buffer, sizeof buffer, &packed);
        const char *fault;

        check_scan(size);
        memset(&unpacked, 0xff, sizeof unpacked);
        fault = wire_unpack_end(buffer, size, &unpacked);
        cr_assert_null(fault, "%s", fault);
        cr_assert_eq(memcmp(&packed, &unpacked, sizeof packed), 0);
    }
}

Test(wire_round_trip, parts)
{
    struct sample sample = {6};

    for (int round = 0; round < ROUNDS; round++) {
        struct position position = sample_position(&sample), seen;
        struct action action = sample_action(&sample), read;
        size_t size = wire_pack_state(buffer, sizeof buffer, &position);

        cr_assert_null(wire_unpack_state(buffer, size, &seen));
        cr_assert_eq(memcmp(&position, &seen, sizeof seen), 0);
        size = wire_pack_action(buffer, sizeof buffer, action);
        cr_assert_null(wire_unpack_action(buffer, size, &read));
        cr_assert_eq(memcmp(&action, &read, sizeof read), 0);
    }
}

Test(wire_round_trip, less_room_than_needed_packs_nothing)
{
    static uint8_t room[WIRE_MESSAGE_BYTES_MAX];
    static struct action actions[GAME_ACTIONS_MAX];
    static struct wire_event events[WIRE_EVENTS_MAX];
    struct sample sample = {7};
    struct wire_turn turn = sample_turn(&sample, actions, events);
    size_t size = wire_pack_turn(buffer, sizeof buffer, &turn);

    for (size_t capacity = 0; capacity < size; capacity++) {
        memset(room, 0xa5, sizeof room);
        cr_assert_eq(wire_pack_turn(room, capacity, &turn), 0);
        cr_assert_eq(room[capacity], 0xa5);
    }
    cr_assert_eq(wire_pack_turn(room, size, &turn), size);
}
