/* SPDX-License-Identifier: MIT */
/*
 * Describes a forfeit to people: what happened at which turn and why, the last request to the bot,
 * what the bot wrote to standard output and standard error, and how to repeat the forfeit.
 */
#ifndef ARENA_REPLAY_FORFEIT_TEXT_H
#define ARENA_REPLAY_FORFEIT_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "arena/play/forfeit.h"

/*
 * The shell command that sends the recorded messages to a bot again. The strings are borrowed, as
 * the user typed them.
 */
struct rerun_command {
    const char *program; /* the arena's argv[0] */
    const char
        *replay; /* file of the replay, or ID of a stored game; NULL: the arena kept no replay */
    const char *bot;     /* bot to send the messages to; NULL: the command prints the messages */
    const char *options; /* more options, already quoted; NULL: none */
};

/*
 * Returns the command for a turn of a seat (FORFEIT_NOT_KNOWN: the hello) in one line, quoted for a
 * shell, which the caller frees. Returns NULL if the arena kept no replay or memory runs out.
 */
char *rerun_command_text(const struct rerun_command *command, int64_t turn, int seat);

/*
 * Writes one paragraph about the forfeit of a seat. name is the bot's name; `again` is the command
 * that repeats the forfeit, or NULL. If the caller has already described a forfeit with the same
 * cause, `as` names the place and the paragraph is short; else `as` is NULL.
 */
void forfeit_text_print(FILE *stream, const struct forfeit *forfeit, int seat, const char *name,
                        const struct rerun_command *again, const char *as);

/*
 * Writes why the bot is out, without a line end: the reason; the system call, exit status or signal
 * if there is one; and for a bot that exited with an error, the line of its standard error that
 * most likely says why.
 */
void forfeit_text_cause(FILE *stream, const struct forfeit *forfeit);

/*
 * Writes a message of the wire protocol: as JSON if the message is complete and valid, else byte by
 * byte.
 */
void forfeit_text_print_message(FILE *stream, const uint8_t *bytes, size_t size,
                                size_t limit_chars);

/*
 * True if two forfeits have the same cause: the same exit status, signal or system call, and the
 * same words up to the first number or action.
 */
bool forfeit_text_is_same(const struct forfeit *a, const struct forfeit *b);

#endif
