/* SPDX-License-Identifier: MIT */
#include "tests/sdk/sample.h"

#include <stdio.h>
#include <string.h>

#include "engine/draw.h"

int sample_number(struct sample *sample, int minimum, int maximum)
{
    return minimum + (int)(draw_next(&sample->state) % (uint64_t)(maximum - minimum + 1));
}

static void fill_counts(struct sample *sample, uint8_t counts[static GAME_COLORS])
{
    for (int color = 0; color < GAME_COLORS; color++)
        counts[color] = (uint8_t)sample_number(sample, 0, GAME_TILES);
}

static struct position_seat sample_seat(struct sample *sample)
{
    struct position_seat seat;

    memset(&seat, 0, sizeof seat);
    seat.score = sample_number(sample, -1, 1) * sample_number(sample, 0, 70000);
    fill_counts(sample, seat.hand);
    fill_counts(sample, seat.corners);
    seat.passed = sample_number(sample, 0, 1) == 1;
    for (int star = 0; star < GAME_STARS; star++)
        for (int space = 0; space < GAME_SPACES; space++)
            seat.stars[star][space] = (int8_t)sample_number(sample, GAME_EMPTY, GAME_COLORS - 1);
    return seat;
}

struct position sample_position(struct sample *sample)
{
    struct position position;

    memset(&position, 0, sizeof position); /* padding too: positions are compared as bytes */
    position.board = (uint8_t)sample_number(sample, BOARD_COLORED, BOARD_GRAY);
    position.player_count = (uint8_t)sample_number(sample, GAME_PLAYERS_MIN, GAME_PLAYERS_MAX);
    position.round = (uint8_t)sample_number(sample, 1, GAME_ROUNDS);
    position.phase = (uint8_t)sample_number(sample, PHASE_DRAFT, PHASE_OVER);
    position.player = (int8_t)sample_number(sample, GAME_NOBODY, GAME_PLAYERS_MAX - 1);
    position.wild = (uint8_t)sample_number(sample, 0, GAME_COLORS - 1);
    position.start = (uint8_t)sample_number(sample, 0, GAME_PLAYERS_MAX - 1);
    position.token = (int8_t)sample_number(sample, GAME_NOBODY, GAME_PLAYERS_MAX - 1);
    position.bonus = (uint8_t)sample_number(sample, 0, GAME_SUPPLY_TILES);
    for (int display = 0; display < 2 * position.player_count + 1; display++)
        fill_counts(sample, position.displays[display]);
    fill_counts(sample, position.center);
    fill_counts(sample, position.supply);
    fill_counts(sample, position.bag);
    fill_counts(sample, position.tower);
    for (int seat = 0; seat < position.player_count; seat++)
        position.seats[seat] = sample_seat(sample);
    return position;
}

struct action sample_action(struct sample *sample)
{
    static const int number_counts[] = {
        [ACTION_DRAFT] = 2, [ACTION_PLACE] = 4, [ACTION_BONUS] = 6, [ACTION_PASS] = 6};
    struct action action;

    memset(&action, 0, sizeof action);
    action.kind = (uint8_t)sample_number(sample, ACTION_DRAFT, ACTION_PASS);
    for (int i = 0; i < number_counts[action.kind]; i++)
        action.number[i] = (int8_t)sample_number(sample, INT8_MIN, INT8_MAX);
    return action;
}

static void fill_text(struct sample *sample, char *text, int size_max)
{
    int size = sample_number(sample, 0, size_max);

    for (int i = 0; i < size; i++)
        text[i] = (char)sample_number(sample, 1, 127);
    text[size] = '\0';
}

struct wire_hello sample_hello(struct sample *sample)
{
    struct wire_hello hello;

    memset(&hello, 0, sizeof hello);
    fill_text(sample, hello.match, WIRE_MATCH_BYTES_MAX - 1);
    hello.player_count = sample_number(sample, GAME_PLAYERS_MIN, GAME_PLAYERS_MAX);
    hello.seat = sample_number(sample, 0, hello.player_count - 1);
    hello.board = sample_number(sample, 0, 1) == 1 ? BOARD_GRAY : BOARD_COLORED;
    for (int seat = 0; seat < hello.player_count; seat++)
        fill_text(sample, hello.names[seat], WIRE_NAME_BYTES_MAX);
    hello.clock.turn_ms = sample_number(sample, 0, 100000);
    hello.clock.bank_ms = sample_number(sample, 0, 100000);
    hello.clock.gain_ms = sample_number(sample, 0, 200);
    hello.clock.start_ms = sample_number(sample, 0, 100000);
    hello.seed = (uint64_t)sample_number(sample, 0, 1 << 21) << 32 | 77;
    return hello;
}

struct wire_ready sample_ready(struct sample *sample)
{
    struct wire_ready ready;

    memset(&ready, 0, sizeof ready);
    fill_text(sample, ready.name, WIRE_NAME_BYTES_MAX);
    fill_text(sample, ready.version, WIRE_NAME_BYTES_MAX);
    ready.actions = sample_number(sample, 0, 1) == 1;
    return ready;
}

struct wire_act sample_act(struct sample *sample)
{
    struct wire_act act;

    memset(&act, 0, sizeof act);
    act.turn = sample_number(sample, -5, 70000);
    act.kind = (enum wire_act_kind)sample_number(sample, WIRE_ACT_INDEX, WIRE_ACT_OTHER);
    if (act.kind == WIRE_ACT_INDEX)
        act.index = sample_number(sample, -70000, 70000);
    if (act.kind == WIRE_ACT_ACTION)
        act.action = sample_action(sample);
    act.has_note = sample_number(sample, 0, 1) == 1;
    if (act.has_note) {
        fill_text(sample, act.note, WIRE_NOTE_BYTES_MAX);
        act.note_bytes = strlen(act.note);
    }
    return act;
}

struct wire_end sample_end(struct sample *sample)
{
    struct wire_end end;

    memset(&end, 0, sizeof end);
    end.state = sample_position(sample);
    end.player_count = end.state.player_count;
    for (int seat = 0; seat < end.player_count; seat++) {
        end.scores[seat] = sample_number(sample, 1, 300);
        end.ranks[seat] = sample_number(sample, 1, GAME_PLAYERS_MAX);
        end.reasons[seat] = (enum wire_reason)sample_number(sample, 0, WIRE_REASON_COUNT - 1);
    }
    return end;
}

struct wire_turn sample_turn(struct sample *sample, struct action actions[static GAME_ACTIONS_MAX],
                             struct wire_event events[static WIRE_EVENTS_MAX])
{
    struct wire_turn turn;

    memset(&turn, 0, sizeof turn);
    turn.turn = sample_number(sample, 0, 70000);
    turn.state = sample_position(sample);
    turn.bank_ms = sample_number(sample, 0, 100000);
    if (sample_number(sample, 0, 3) > 0) {
        turn.actions = actions;
        turn.action_count = (size_t)sample_number(sample, 1, 60);
        for (size_t i = 0; i < turn.action_count; i++)
            actions[i] = sample_action(sample);
    }
    turn.events = events;
    turn.event_count = (size_t)sample_number(sample, 0, 20);
    for (size_t i = 0; i < turn.event_count; i++) {
        events[i].seat = sample_number(sample, 0, GAME_PLAYERS_MAX - 1);
        events[i].action = sample_action(sample);
    }
    return turn;
}

size_t sample_message(struct sample *sample, uint8_t buffer[static WIRE_MESSAGE_BYTES_MAX])
{
    struct action actions[GAME_ACTIONS_MAX];
    struct wire_event events[WIRE_EVENTS_MAX];
    struct wire_hello hello;
    struct wire_ready ready;
    struct wire_turn turn;
    struct wire_act act;
    struct wire_end end;

    switch ((enum wire_type)sample_number(sample, WIRE_HELLO, WIRE_END)) {
    case WIRE_HELLO:
        hello = sample_hello(sample);
        return wire_pack_hello(buffer, WIRE_MESSAGE_BYTES_MAX, &hello);
    case WIRE_READY:
        ready = sample_ready(sample);
        return wire_pack_ready(buffer, WIRE_MESSAGE_BYTES_MAX, &ready);
    case WIRE_TURN:
        turn = sample_turn(sample, actions, events);
        return wire_pack_turn(buffer, WIRE_MESSAGE_BYTES_MAX, &turn);
    case WIRE_ACT:
        act = sample_act(sample);
        return wire_pack_act(buffer, WIRE_MESSAGE_BYTES_MAX, &act);
    case WIRE_END:
        end = sample_end(sample);
        return wire_pack_end(buffer, WIRE_MESSAGE_BYTES_MAX, &end);
    }
    return 0;
}
