/* The shell command that repeats a forfeit: it sends the recorded messages to a bot again. Pure. */
#ifndef ARENA_REPLAY_RERUN_COMMAND_H
#define ARENA_REPLAY_RERUN_COMMAND_H

#include <stdint.h>

/* The parts of the command; strings are borrowed, and are as the user typed them. */
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
