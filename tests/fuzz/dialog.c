/* SPDX-License-Identifier: MIT */
/*
 * A whole match against bots that send what they like when they like. The first byte chooses the
 * table, the second the clock; then each answer is a byte for the time that it took and a message,
 * or 0xff and two bytes that choose a legal action, so that the game goes on.
 */
#include <stdlib.h>
#include <string.h>

#include "arena/play/match.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

enum {
    CHOOSES = 0xff,
    TIME_STEP_US = 40000,
};

/* What is left of the input. */
struct input {
    const uint8_t *at;
    size_t size;
};

static void require(bool holds)
{
    if (!holds)
        abort();
}

static uint8_t take_byte(struct input *input)
{
    if (input->size == 0)
        return 0;
    input->size--;
    return *input->at++;
}

/* Finds the next message. Returns its size; or 0 with *reason set. */
static size_t take_message(struct input *input, const uint8_t **message, enum wire_reason *reason)
{
    struct wire_scan scan = {0};
    enum wire_scan_result result = wire_scan(&scan, input->at, input->size);

    *message = input->at;
    if (result != WIRE_SCAN_COMPLETE) {
        *reason = result == WIRE_SCAN_BAD ? WIRE_BAD : WIRE_EXIT;
        input->size = 0;
        return 0;
    }
    input->at += scan.offset;
    input->size -= scan.offset;
    return scan.offset;
}

static void greet(struct match *match, struct input *input, int seat)
{
    static uint8_t hello[WIRE_MESSAGE_BYTES_MAX];
    enum wire_reason reason = WIRE_BAD;
    struct wire_ready ready = {.actions = true};
    const uint8_t *message;
    size_t size;

    require(match_pack_hello(match, seat, hello) > 0);
    if (input->size > 0 && *input->at == CHOOSES) {
        take_byte(input);
        match_ready(match, seat, seat % 2);
        return;
    }
    size = take_message(input, &message, &reason);
    if (size > 0 && !wire_unpack_ready(message, size, &ready))
        match_ready(match, seat, ready.actions);
    else
        match_out(match, seat, size > 0 ? WIRE_BAD : reason);
}

/* Reads an answer: a message or a choice. Returns false with *reason set. */
static bool take_answer(struct match *match, struct input *input, struct wire_act *act,
                        enum wire_reason *reason)
{
    const uint8_t *message;
    size_t size;

    if (input->size > 0 && *input->at == CHOOSES) {
        take_byte(input);
        if (match->legal_count == 0)
            match->legal_count = game_legal_actions(&match->game, match->legal);
        *act = (struct wire_act){.turn = (int64_t)match->decision_count, .kind = WIRE_ACT_INDEX};
        act->index = (take_byte(input) << 8 | take_byte(input)) % (int)match->legal_count;
        return true;
    }
    size = take_message(input, &message, reason);
    if (size > 0 && wire_unpack_act(message, size, act)) {
        *reason = WIRE_BAD;
        return false;
    }
    return size > 0;
}

static void decide(struct match *match, struct input *input, int seat)
{
    static uint8_t request[WIRE_MESSAGE_BYTES_MAX];
    const int64_t limit_us = match_limit_us(match, seat), bank_us = match->seats[seat].bank_us;
    const size_t decision_count = match->decision_count;
    const struct match_times times = {.us = (int64_t)take_byte(input) * TIME_STEP_US};
    enum wire_reason reason = WIRE_TIMEOUT;
    struct wire_act act;

    require(match_pack_request(match, seat, NULL, request) > 0);
    require(match->seats[seat].told_count == match->decision_count && limit_us > 0);
    if (times.us > limit_us || !take_answer(match, input, &act, &reason)) {
        match_out(match, seat, reason);
    } else if (match_answer(match, seat, &act, &times, &reason)) {
        require(match->decision_count == decision_count && match->seats[seat].bank_us == bank_us);
        match_out(match, seat, reason);
    } else {
        require(match->decision_count == decision_count + 1 && match->seats[seat].bank_us >= 0);
    }
}

static void check_result(const struct match *match)
{
    struct wire_end end;
    bool has_winner = false;

    require(match->phase == MATCH_OVER && match->decision_count <= GAME_DECISIONS_MAX);
    match_result(match, &end);
    for (int seat = 0; seat < match->terms.player_count; seat++) {
        require(end.ranks[seat] >= 1 && end.ranks[seat] <= match->terms.player_count);
        require(end.reasons[seat] == match->seats[seat].reason);
        has_winner = has_winner || end.ranks[seat] == 1;
    }
    require(has_winner);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static const struct wire_clock clocks[] = {
        {.turn_ms = 1000, .bank_ms = 10000, .gain_ms = 0, .start_ms = 5000},
        {.turn_ms = 1, .bank_ms = 0, .gain_ms = 0, .start_ms = 1},
        {.turn_ms = 100, .bank_ms = 500, .gain_ms = 200, .start_ms = 1000},
        {.turn_ms = CLOCK_MS_MAX, .bank_ms = CLOCK_MS_MAX, .gain_ms = CLOCK_MS_MAX, .start_ms = 1}};
    static struct match match;
    struct input input = {bytes, size};
    const uint8_t table = take_byte(&input);
    struct match_terms terms = {.id = "000000-0",
                                .seed = {table},
                                .player_count = GAME_PLAYERS_MIN + table % 3,
                                .board = table >> 2 & 1,
                                .clock = clocks[take_byte(&input) % 4]};
    int seat;

    match_init(&match, &terms);
    for (seat = 0; seat < terms.player_count; seat++)
        greet(&match, &input, seat);
    match_begin(&match);
    while ((seat = match_next(&match)) != GAME_NOBODY)
        decide(&match, &input, seat);
    check_result(&match);
    match_finish(&match);
    return 0;
}
