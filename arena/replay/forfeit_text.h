/*
 * Describes a forfeit to people: what happened at which turn and why, the last request to the bot,
 * what the bot wrote to standard output and standard error, and how to repeat the forfeit.
 */
#ifndef ARENA_REPLAY_FORFEIT_TEXT_H
#define ARENA_REPLAY_FORFEIT_TEXT_H

#include <stdio.h>

#include "arena/play/forfeit.h"

/*
 * Writes one paragraph about the forfeit of a seat. name is the bot's name; again is text that says
 * how to repeat the forfeit, or NULL.
 */
void forfeit_text_print(FILE *stream, const struct forfeit *forfeit, int seat, const char *name,
                        const char *again);

/*
 * Writes why the bot is out, without a line end: the reason; the system call, exit status or signal
 * if there is one; and for a bot that exited with an error, the line of its standard error that
 * most likely says why.
 */
void forfeit_text_cause(FILE *stream, const struct forfeit *forfeit);

/*
 * The parts of the shell command that repeats a forfeit: the command sends the recorded messages to
 * a bot again. The strings are borrowed; they are as the user typed them.
 */
struct rerun_command {
    const char *program; /* the arena's argv[0] */
    const char *replay;  /* file of a replay, or id of a stored game */
    int64_t turn;        /* number of the decision; FORFEIT_NOT_KNOWN: the hello of seat */
    int seat;
    const char *bot;
    const char *options; /* more options, already quoted; NULL or "": no more options */
};

/*
 * Returns the command in one line, quoted for a shell. The caller frees it. NULL if memory runs
 * out.
 */
char *rerun_command_text(const struct rerun_command *command);

#endif
