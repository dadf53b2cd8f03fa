/*
 * The command that sends a bot the bytes of a forfeit again, as text to be pasted into a
 * shell. Pure.
 */
#ifndef ARENA_REPLAY_RERUN_COMMAND_H
#define ARENA_REPLAY_RERUN_COMMAND_H

#include <stdint.h>

/* What a command needs; strings are borrowed and stand as they were typed. */
struct rerun_command {
    const char *program; /* what the arena was started as */
    const char *replay;  /* a file, or a game of the store */
    int64_t turn;        /* FORFEIT_NOT_KNOWN: the hello of seat */
    int seat;
    const char *bot;
    const char *options; /* further ones, quoted already; NULL or "" for none */
};

/* The command in one line, quoted; the caller frees it. NULL when memory is out. */
char *rerun_command_text(const struct rerun_command *command);

#endif
