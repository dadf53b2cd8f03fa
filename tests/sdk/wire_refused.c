/* SPDX-License-Identifier: MIT */
/*
 * Invalid contents of a hello, a turn and an end: a well-formed message with one place changed, one
 * row per rule.
 */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "tests/sdk/sample.h"

#define BYTES(text) text, sizeof(text) - 1

static uint8_t message[WIRE_MESSAGE_BYTES_MAX];
static struct action actions[GAME_ACTIONS_MAX];
static struct wire_event events[WIRE_EVENTS_MAX];

static const char *unpack(enum wire_type type, const uint8_t *bytes, size_t size)
{
    static struct action unpacked_actions[GAME_ACTIONS_MAX];
    static struct wire_event unpacked_events[WIRE_EVENTS_MAX];
    struct wire_hello hello;
    struct wire_ready ready;
    struct wire_turn turn;
    struct wire_act act;
    struct wire_end end;

    switch (type) {
    case WIRE_HELLO:
        return wire_unpack_hello(bytes, size, &hello);
    case WIRE_READY:
        return wire_unpack_ready(bytes, size, &ready);
    case WIRE_TURN:
        return wire_unpack_turn(bytes, size, &turn, unpacked_actions, unpacked_events);
    case WIRE_ACT:
        return wire_unpack_act(bytes, size, &act);
    case WIRE_END:
        return wire_unpack_end(bytes, size, &end);
    }
    return "no type";
}

static size_t pack_hello(void)
{
    static const struct wire_hello hello = {.match = "m",
                                            .seat = 1,
                                            .player_count = 2,
                                            .board = BOARD_GRAY,
                                            .names = {"a", "b"},
                                            .clock = {1, 2, 3, 4},
                                            .seed = 5};

    return wire_pack_hello(message, sizeof message, &hello);
}

/* Packs a turn with that many actions and events. */
static size_t pack_turn(size_t action_count, size_t event_count)
{
    struct sample sample = {5};
    struct wire_turn turn = {.turn = 6,
                             .state = sample_position(&sample),
                             .actions = actions,
                             .action_count = action_count,
                             .bank_ms = 7,
                             .events = events,
                             .event_count = event_count};

    for (size_t i = 0; i < GAME_ACTIONS_MAX; i++)
        actions[i] = (struct action){ACTION_DRAFT, {1, 2}};
    for (size_t i = 0; i < WIRE_EVENTS_MAX; i++)
        events[i] = (struct wire_event){1, {ACTION_DRAFT, {3, 4}}};
    return wire_pack_turn(message, sizeof message, &turn);
}

static size_t pack_end(void)
{
    struct sample sample = {5};
    struct wire_end end = {.player_count = 2,
                           .scores = {10, 11},
                           .ranks = {2, 1},
                           .reasons = {WIRE_PLAYED, WIRE_PLAYED},
                           .state = sample_position(&sample)};

    while (end.state.player_count != 2)
        end.state = sample_position(&sample);
    return wire_pack_end(message, sizeof message, &end);
}

/* Replaces the first occurrence of old. */
struct change {
    const char *rule;
    const char *old;
    size_t old_bytes;
    const char *new;
    size_t new_bytes;
    const char *fault;
};

static const struct change hellos[] = {
    {"the protocol is this one", BYTES("protocol\x01"), BYTES("protocol\x02"), "protocol is not 1"},
    {"the protocol is a number", BYTES("protocol\x01"), BYTES("protocol\xc0"),
     "protocol is not an integer"},
    {"the game is this one", BYTES("-pavilion"), BYTES("-Pavilion"), "game is not summer-pavilion"},
    {"the match is a text", BYTES("match\xa1m"), BYTES("match\x01"), "match is not a string"},
    {"the seat is not negative", BYTES("seat\x01"), BYTES("seat\xff"), "seat is out of range"},
    {"four seats at most", BYTES("seat\x01"), BYTES("seat\x04"), "seat is out of range"},
    {"the seat is one of the table's", BYTES("seat\x01"), BYTES("seat\x02"),
     "seat is out of range"},
    {"two players at least", BYTES("players\x02"), BYTES("players\x01"),
     "players is not a valid player count"},
    {"four players at most", BYTES("players\x02"), BYTES("players\x05"),
     "players is not a valid player count"},
    {"two boards", BYTES("gray"), BYTES("grey"), "board is neither colored nor gray"},
    {"names are an array",
     BYTES("names\x92\xa1"
           "a\xa1"
           "b"),
     BYTES("names\xc0"), "names is not an array of one string per seat"},
    {"four names at most", BYTES("names\x92"), BYTES("names\x95\xa1x\xa1y\xa1z"),
     "names is not an array of one string per seat"},
    {"a name is a text",
     BYTES("names\x92\xa1"
           "a"),
     BYTES("names\x92\x01"), "names is not an array of one string per seat"},
    {"the clock is a map", BYTES("clock\x84"), BYTES("clock\x01\x83"), "clock is not a map"},
    {"no negative time a turn", BYTES("turn_ms\x01"), BYTES("turn_ms\xff"),
     "turn_ms is not a count of milliseconds"},
    {"the clock is complete", BYTES("gain_ms"), BYTES("gain_us"), "the message has no gain_ms"},
    {"the seed is not negative", BYTES("seed\x05"), BYTES("seed\xff"),
     "seed is not an integer from 0"},
    {"a seed", BYTES("seed"), BYTES("Seed"), "the message has no seed"},
};

static const struct change turns[] = {
    {"turns count from 0", BYTES("turn\x06"), BYTES("turn\xff"), "turn is not an integer from 0"},
    {"the state is a map", BYTES("state\x8e"), BYTES("state\x01\x8d"), "state is not a map"},
    {"actions are an array", BYTES("actions\x92"), BYTES("actions\x01"),
     "actions is not an array of actions"},
    {"an action is one", BYTES("actions\x92\x93"), BYTES("actions\x92\x01\x93"),
     "actions is not an array of actions"},
    {"the bank is not negative", BYTES("bank_ms\x07"), BYTES("bank_ms\xff"),
     "bank_ms is not a count of milliseconds"},
    {"events are an array", BYTES("events\x92"), BYTES("events\x01"),
     "events is not an array of [seat, action]"},
    {"an event has two parts", BYTES("events\x92\x92"), BYTES("events\x92\x93"),
     "events is not an array of [seat, action]"},
    {"an event's seat is not negative", BYTES("events\x92\x92\x01"), BYTES("events\x92\x92\xff"),
     "events is not an array of [seat, action]"},
    {"an event's seat is one of four", BYTES("events\x92\x92\x01"), BYTES("events\x92\x92\x04"),
     "events is not an array of [seat, action]"},
    {"an event's action is one", BYTES("events\x92\x92\x01\x93"), BYTES("events\x92\x92\x01\x92"),
     "events is not an array of [seat, action]"},
    {"a state", BYTES("state"), BYTES("State"), "the message has no state"},
};

static const struct change ends[] = {
    {"scores are an array", BYTES("scores\x92"), BYTES("scores\x01"),
     "scores is not an array of one integer per seat"},
    {"four scores at most", BYTES("scores\x92"), BYTES("scores\x95\x01\x02\x03"),
     "scores is not an array of one integer per seat"},
    {"a score is a number", BYTES("scores\x92\x0a"), BYTES("scores\x92\xc0"),
     "scores is not an array of one integer per seat"},
    {"ranks count from 1", BYTES("ranks\x92\x02"), BYTES("ranks\x92\x00"),
     "ranks is not an array of one rank per seat"},
    {"ranks end at 4", BYTES("ranks\x92\x02"), BYTES("ranks\x92\x05"),
     "ranks is not an array of one rank per seat"},
    {"a reason is a known one", BYTES("reason\x92\xa6played"), BYTES("reason\x92\xa6Played"),
     "reason is not an array of one reason per seat"},
    {"a score for each seat", BYTES("scores\x92\x0a"), BYTES("scores\x91"),
     "scores, ranks, reason and state must have one value per seat"},
    {"a reason for each seat", BYTES("reason\x92\xa6played"), BYTES("reason\x91"),
     "scores, ranks, reason and state must have one value per seat"},
    {"the state is a map", BYTES("state\x8e"), BYTES("state\x01\x8d"), "state is not a map"},
    {"a state", BYTES("state"), BYTES("State"), "the message has no state"},
};

/* Returns the changed message in a buffer that ends directly after it. */
static uint8_t *changed(const struct change *change, size_t size, size_t *new_size)
{
    const uint8_t *place = memmem(message, size, change->old, change->old_bytes);
    size_t before, after;
    uint8_t *bytes;

    cr_assert_not_null(place, "%s: nothing to change", change->rule);
    before = (size_t)(place - message);
    after = size - before - change->old_bytes;
    *new_size = before + change->new_bytes + after;
    bytes = malloc(*new_size);
    memcpy(bytes, message, before);
    memcpy(bytes + before, change->new, change->new_bytes);
    memcpy(bytes + before + change->new_bytes, place + change->old_bytes, after);
    return bytes;
}

static void check(enum wire_type type, size_t size, const struct change *changes, size_t count)
{
    const char *fault = unpack(type, message, size);

    cr_assert_gt(size, 0);
    cr_assert_null(fault, "unchanged: %s", fault);
    for (size_t i = 0; i < count; i++) {
        size_t new_size;
        uint8_t *bytes = changed(&changes[i], size, &new_size);

        fault = unpack(type, bytes, new_size);
        cr_expect(fault && strcmp(fault, changes[i].fault) == 0, "%s: %s", changes[i].rule, fault);
        free(bytes);
    }
}

Test(wire_refused, hello)
{
    check(WIRE_HELLO, pack_hello(), hellos, sizeof hellos / sizeof *hellos);
}

Test(wire_refused, turn)
{
    check(WIRE_TURN, pack_turn(2, 2), turns, sizeof turns / sizeof *turns);
}

Test(wire_refused, end)
{
    check(WIRE_END, pack_end(), ends, sizeof ends / sizeof *ends);
}

/* As many as fit are read; one more is refused. */
Test(wire_refused, more_than_there_is_room_for)
{
    const struct change more_actions = {"actions", BYTES("actions\xdc\x04\x00"),
                                        BYTES("actions\xdc\x04\x01\x93\xa5"
                                              "draft\x01\x02"),
                                        "actions is not an array of actions"};
    struct change more_events = {"events", NULL, 0,
                                 NULL,     0,    "events is not an array of [seat, action]"};
    char old[] = "events\xdc__", new[] = "events\xdc__\x92\x01\x93\xa5"
                                         "draft\x01\x02";

    cr_assert_eq(GAME_ACTIONS_MAX, 0x400);
    check(WIRE_TURN, pack_turn(GAME_ACTIONS_MAX, 0), &more_actions, 1);
    old[7] = (char)(WIRE_EVENTS_MAX >> 8);
    old[8] = (char)(WIRE_EVENTS_MAX & 0xff);
    new[7] = (char)((WIRE_EVENTS_MAX + 1) >> 8);
    new[8] = (char)((WIRE_EVENTS_MAX + 1) & 0xff);
    more_events.old = old;
    more_events.old_bytes = sizeof old - 1;
    more_events.new = new;
    more_events.new_bytes = sizeof new - 1;
    check(WIRE_TURN, pack_turn(0, WIRE_EVENTS_MAX), &more_events, 1);
}

static void check_prefixes(enum wire_type type, size_t size)
{
    const char *fault = unpack(type, message, size);

    cr_assert_null(fault, "%d: %s", type, fault);
    for (size_t prefix = 1; prefix < size; prefix++) {
        uint8_t *exact = malloc(prefix);

        memcpy(exact, message, prefix);
        fault = unpack(type, exact, prefix);
        cr_expect(fault && strcmp(fault, "the message ends too early") == 0,
                  "message %d, %zu of %zu bytes: %s", type, prefix, size, fault);
        free(exact);
    }
}

Test(wire_refused, every_strict_prefix)
{
    struct sample sample = {31};

    for (int round = 0; round < 4; round++) {
        struct wire_ready ready = sample_ready(&sample);
        struct wire_act act = sample_act(&sample);
        struct wire_hello hello = sample_hello(&sample);
        struct wire_turn turn = sample_turn(&sample, actions, events);
        struct wire_end end = sample_end(&sample);

        check_prefixes(WIRE_HELLO, wire_pack_hello(message, sizeof message, &hello));
        check_prefixes(WIRE_READY, wire_pack_ready(message, sizeof message, &ready));
        check_prefixes(WIRE_TURN, wire_pack_turn(message, sizeof message, &turn));
        check_prefixes(WIRE_ACT, wire_pack_act(message, sizeof message, &act));
        check_prefixes(WIRE_END, wire_pack_end(message, sizeof message, &end));
    }
}
