// SPDX-License-Identifier: MIT
// Plays the bundled turns without an arena: make test
#include <algorithm>
#include <fstream>
#include <iostream>
#include <iterator>
#include <stdexcept>
#include <vector>

#include "bot.hpp"

static void require(bool holds, const char *what)
{
    if (!holds)
        throw std::runtime_error(what);
}

// True if choose answers the turn with one of its actions.
static bool is_answered(const wire_hello &hello, const wire_turn &asked)
{
    static const uint8_t seed[GAME_SEED_BYTES] = {};
    sdk_random random = {hello.seed};
    char note[WIRE_TEXT_BYTES_MAX] = "";
    struct game game;
    sdk_turn turn = {};

    require(game_from_position(&game, &asked.state, seed) == nullptr, "the state is possible");
    turn.hello = &hello;
    turn.turn = asked.turn;
    turn.bank_ms = asked.bank_ms;
    turn.state = &asked.state;
    turn.game = &game;
    turn.actions = asked.actions;
    turn.action_count = asked.action_count;
    turn.events = asked.events;
    turn.event_count = asked.event_count;
    turn.random = &random;
    turn.note = note;
    turn.received_us = sdk_now_us();
    action chosen = choose(turn);
    return std::any_of(turn.actions, turn.actions + turn.action_count,
                       [&](const action &a) { return action_compare(a, chosen) == 0; });
}

int main()
{
    std::ifstream file("turns.msgpack", std::ios::binary);
    std::vector<char> text{std::istreambuf_iterator<char>(file), {}};
    const uint8_t *at = reinterpret_cast<const uint8_t *>(text.data());
    const uint8_t *end = at + text.size();
    static action actions[GAME_ACTIONS_MAX];
    static wire_event events[WIRE_EVENTS_MAX];
    wire_hello hello = {};
    int count = 0;

    while (at < end) {
        struct wire_scan scan = {};
        wire_type type;

        require(wire_scan(&scan, at, end - at) == WIRE_SCAN_COMPLETE, "a whole message");
        const char *fault = wire_unpack_type(at, scan.offset, &type);
        if (!fault && type == WIRE_HELLO)
            fault = wire_unpack_hello(at, scan.offset, &hello);
        if (!fault && type == WIRE_HELLO)
            begin(hello);
        if (!fault && type == WIRE_TURN) {
            wire_turn turn = {};
            fault = wire_unpack_turn(at, scan.offset, &turn, actions, events);
            require(fault || is_answered(hello, turn), "a legal answer");
            count++;
        }
        require(!fault || fault == wire_type_unknown, fault ? fault : ""); // a later arena says more
        at += scan.offset;
    }
    require(count > 0, "some turns");
    std::cout << count << " turns answered\n";
}
