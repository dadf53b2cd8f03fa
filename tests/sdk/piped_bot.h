/* SPDX-License-Identifier: MIT */
/*
 * A bundled bot as a plain child process with two pipes: no sandbox and no match clock. Any failure
 * fails the running test.
 */
#ifndef TESTS_SDK_PIPED_BOT_H
#define TESTS_SDK_PIPED_BOT_H

#include <sys/types.h>

#include "sdk/wire.h"

struct piped_bot {
    const char *name;
    pid_t pid;
    int input_fd;  /* the test writes here */
    int output_fd; /* the test reads here */
};

/* Starts the bot with that name as its manifest in the build folder says. */
void piped_bot_start(struct piped_bot *bot, const char *name);

/* Writes the bytes in pieces of at most piece_bytes. */
void piped_bot_write(struct piped_bot *bot, const uint8_t *bytes, size_t size, size_t piece_bytes);

/* Waits for one complete message, which nothing may follow. Returns its size. */
size_t piped_bot_read(struct piped_bot *bot, uint8_t message[static WIRE_MESSAGE_BYTES_MAX]);

/* Closes the bot's input and waits for its exit, which must come by itself with status 0. */
void piped_bot_stop(struct piped_bot *bot);

#endif
