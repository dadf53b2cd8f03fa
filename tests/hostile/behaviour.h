/* The ways in which the bot of hostile.c misbehaves, by name. */
#ifndef TESTS_HOSTILE_BEHAVIOUR_H
#define TESTS_HOSTILE_BEHAVIOUR_H

#include <stddef.h>
#include <stdint.h>

enum {
    BEHAVIOUR_BYTES_MAX = 1 << 18, /* of a message, in and out */
};

/* What a behaviour leaves to do. */
enum behaviour_left {
    BEHAVIOUR_LEAVES_ANSWER,  /* it only did something on the side */
    BEHAVIOUR_LEAVES_NOTHING, /* it answered in its own way: read on */
};

/* What the last request asked for. */
void behaviour_set_turn(int64_t turn, size_t action_count);

/* Does NAME or NAME=ARGUMENT; ends the process where there is none of that name. */
enum behaviour_left behaviour_play(const char *name);

/* Writes all of it, or ends the process. */
void behaviour_write(int fd, const void *bytes, size_t size);

/* The answer of an honest bot: the first legal action. */
void behaviour_answer(void);

#endif
