/* SPDX-License-Identifier: MIT */
/* Plays the bundled turns without an arena: make test */
#undef NDEBUG /* these asserts are the test */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "bot.h"

static uint8_t bytes[1 << 16];
static struct action actions[GAME_ACTIONS_MAX];
static struct wire_event events[WIRE_EVENTS_MAX];

/* True if choose returns one of the turn's actions. */
static bool is_answered(const struct wire_hello *hello, const struct wire_turn *turn)
{
    static const uint8_t seed[GAME_SEED_BYTES];
    struct sdk_random random = {.state = hello->seed};
    char note[WIRE_TEXT_BYTES_MAX] = "";
    struct game game;
    struct action chosen;

    assert(game_from_position(&game, &turn->state, seed) == NULL);
    chosen = choose(NULL, &(struct sdk_turn){.hello = hello,
                                             .turn = turn->turn,
                                             .bank_ms = turn->bank_ms,
                                             .state = &turn->state,
                                             .game = &game,
                                             .actions = turn->actions,
                                             .action_count = turn->action_count,
                                             .events = turn->events,
                                             .event_count = turn->event_count,
                                             .random = &random,
                                             .note = note,
                                             .received_us = sdk_now_us()});
    for (size_t i = 0; i < turn->action_count; i++)
        if (action_compare(turn->actions[i], chosen) == 0)
            return true;
    return false;
}

int main(void)
{
    FILE *file = fopen("turns.msgpack", "rb");
    struct wire_hello hello = {0};
    struct wire_turn turn;
    size_t size, at = 0;
    int count = 0;

    assert(file);
    size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    while (at < size) {
        struct wire_scan scan = {0};
        enum wire_type type;
        const char *fault;

        assert(wire_scan(&scan, bytes + at, size - at) == WIRE_SCAN_COMPLETE);
        fault = wire_unpack_type(bytes + at, scan.offset, &type);
        if (!fault && type == WIRE_HELLO)
            fault = wire_unpack_hello(bytes + at, scan.offset, &hello);
        if (!fault && type == WIRE_HELLO)
            begin(NULL, &hello);
        if (!fault && type == WIRE_TURN) {
            fault = wire_unpack_turn(bytes + at, scan.offset, &turn, actions, events);
            assert(fault || is_answered(&hello, &turn));
            count++;
        }
        assert(!fault || fault == wire_type_unknown); /* a later arena may send other messages */
        at += scan.offset;
    }
    assert(count > 0);
    printf("%d turns answered\n", count);
    return 0;
}
