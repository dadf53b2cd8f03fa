/* SPDX-License-Identifier: MIT */
/* The ways in which the bot hostile.c can misbehave, by name. */
#ifndef TESTS_HOSTILE_BEHAVIOUR_H
#define TESTS_HOSTILE_BEHAVIOUR_H

#include <stddef.h>
#include <stdint.h>

enum {
    BEHAVIOUR_BYTES_MAX = 1 << 18, /* limit of a message, in both directions */
};

/* What is left to do after a behaviour. */
enum behaviour_left {
    BEHAVIOUR_LEAVES_ANSWER,  /* it has not answered: an honest answer must follow */
    BEHAVIOUR_LEAVES_NOTHING, /* it has answered in its own way: read the next message */
};

/* Sets the turn of the last request. */
void behaviour_set_turn(int64_t turn, size_t action_count);

/* Performs NAME or NAME=ARGUMENT; exits if there is no such behaviour. */
enum behaviour_left behaviour_play(const char *name);

/* Writes all bytes, or exits. */
void behaviour_write(int fd, const void *bytes, size_t size);

/* Sends the answer of an honest bot: the first legal action. */
void behaviour_answer(void);

#endif
