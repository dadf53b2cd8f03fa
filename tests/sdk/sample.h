/* SPDX-License-Identifier: MIT */
/*
 * Messages with every field filled in, derived from a number: the same number gives the same
 * message.
 */
#ifndef TESTS_SDK_SAMPLE_H
#define TESTS_SDK_SAMPLE_H

#include "sdk/wire.h"

/* A stream of random numbers; any initial state is valid. */
struct sample {
    uint64_t state;
};

/* Returns a number from minimum to maximum. */
int sample_number(struct sample *sample, int minimum, int maximum);

/* Returns a position within the ranges that the wire allows, whether the rules allow it or not. */
struct position sample_position(struct sample *sample);

struct action sample_action(struct sample *sample);
struct wire_hello sample_hello(struct sample *sample);
struct wire_ready sample_ready(struct sample *sample);
struct wire_act sample_act(struct sample *sample);
struct wire_end sample_end(struct sample *sample);

/* Returns a turn whose arrays are the caller's. */
struct wire_turn sample_turn(struct sample *sample, struct action actions[static GAME_ACTIONS_MAX],
                             struct wire_event events[static WIRE_EVENTS_MAX]);

/* Packs any of the five messages. Returns its size. */
size_t sample_message(struct sample *sample, uint8_t buffer[static WIRE_MESSAGE_BYTES_MAX]);

#endif
