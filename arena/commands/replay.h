/* The ways in which `arena replay` shows a match. Each returns a command's status. */
#ifndef ARENA_COMMANDS_REPLAY_H
#define ARENA_COMMANDS_REPLAY_H

#include "arena/replay/replay.h"

/*
 * Prints a description of the whole match to standard output, in 80 columns. path is the name of
 * the replay, for the commands that repeat a forfeit. If the replay breaks the rules of the game,
 * prints on standard error where.
 */
int replay_text_print(const struct replay *replay, const char *path);

/* Draws the match on the terminal. The user steps through it, and quits. */
int replay_watch_run(const struct replay *replay, const char *path);

#endif
