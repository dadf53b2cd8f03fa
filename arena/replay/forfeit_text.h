/*
 * Describes a forfeit to people: what happened at which turn and why, the last request to the bot
 * and what it wrote, its standard error, and how to repeat it.
 */
#ifndef ARENA_REPLAY_FORFEIT_TEXT_H
#define ARENA_REPLAY_FORFEIT_TEXT_H

#include <stdio.h>

#include "arena/play/forfeit.h"

/*
 * Writes one paragraph. name is the bot's name; again says how to repeat the forfeit, or is NULL.
 */
void forfeit_text_print(FILE *stream, const struct forfeit *forfeit, int seat, const char *name,
                        const char *again);

/*
 * Writes why the bot is out, without a line end: the reason, the system call or exit status or
 * signal, and of a bot that exited the line of its standard error that says most.
 */
void forfeit_text_cause(FILE *stream, const struct forfeit *forfeit);

/*
 * The parts of the shell command that repeats a forfeit: it sends the recorded messages to a bot
 * again. Strings are borrowed, and are as the user typed them.
 */
struct rerun_command {
    const char *program; /* argv[0] of the arena */
    const char *replay;  /* a file, or a stored game */
    int64_t turn;        /* FORFEIT_NOT_KNOWN: the hello of seat */
    int seat;
    const char *bot;
    const char *options; /* more options, already quoted; NULL or "": none */
};

/* Returns the quoted command in one line; the caller frees it. NULL if memory runs out. */
char *rerun_command_text(const struct rerun_command *command);

#endif
