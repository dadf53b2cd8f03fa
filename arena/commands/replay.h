/* The ways in which `arena replay` shows a match. Each returns a command's status. */
#ifndef ARENA_COMMANDS_REPLAY_H
#define ARENA_COMMANDS_REPLAY_H

#include "arena/replay/replay.h"

/*
 * Describes the whole match to people on standard output, in 80 columns. path is its name, for
 * commands that repeat a forfeit. If the replay breaks the rules, prints where on standard error.
 */
int replay_text_print(const struct replay *replay, const char *path);

/* Draws the match in the terminal, to be stepped through until the user quits. */
int replay_watch_run(const struct replay *replay, const char *path);

#endif
