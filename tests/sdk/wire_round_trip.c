/* SPDX-License-Identifier: MIT */
/* A packed message scans as one complete message, and what is unpacked packs to the same bytes. */
#include <criterion/criterion.h>
#include <string.h>

#include "tests/sdk/sample.h"

enum {
    ROUNDS = 500 /* messages of each type */
};

static uint8_t buffer[WIRE_MESSAGE_BYTES_MAX], again[WIRE_MESSAGE_BYTES_MAX];

static void check_scan(size_t size)
{
    struct wire_scan scan = {0};

    cr_assert_gt(size, 0);
    cr_assert_eq(wire_scan(&scan, buffer, size), WIRE_SCAN_COMPLETE, "%s", scan.fault);
    cr_assert_eq(scan.offset, size);
}

static void check_same(size_t size, const char *fault, size_t size_again)
{
    cr_assert_null(fault, "%s", fault);
    cr_assert_eq(size_again, size);
    cr_assert_eq(memcmp(again, buffer, size), 0);
}

/* Packs the message `packed`, unpacks it and packs it again. The rest are arguments of unpack. */
#define CHECK(name, packed, ...)                                                                   \
    do {                                                                                           \
        struct wire_##name unpacked;                                                               \
        size_t size = wire_pack_##name(buffer, sizeof buffer, &(packed));                          \
        const char *fault;                                                                         \
                                                                                                   \
        check_scan(size);                                                                          \
        memset(&unpacked, 0xff, sizeof unpacked);                                                  \
        fault = wire_unpack_##name(buffer, size, &unpacked __VA_OPT__(, ) __VA_ARGS__);            \
        check_same(size, fault, wire_pack_##name(again, sizeof again, &unpacked));                 \
    } while (0)

Test(wire_round_trip, of_each_type)
{
    static struct action packed_actions[GAME_ACTIONS_MAX], actions[GAME_ACTIONS_MAX];
    static struct wire_event packed_events[WIRE_EVENTS_MAX], events[WIRE_EVENTS_MAX];
    struct sample sample = {1};

    for (int round = 0; round < ROUNDS; round++) {
        struct wire_hello hello = sample_hello(&sample);
        struct wire_ready ready = sample_ready(&sample);
        struct wire_turn turn = sample_turn(&sample, packed_actions, packed_events);
        struct wire_act act = sample_act(&sample);
        struct wire_end end = sample_end(&sample);

        CHECK(hello, hello);
        CHECK(ready, ready);
        CHECK(turn, turn, actions, events);
        CHECK(act, act);
        CHECK(end, end);
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
