/*
 * A match told to people on standard output, in 80 columns: rounds with what was dealt, each
 * decision in words, the final scoring taken apart.
 */
#ifndef ARENA_COMMANDS_REPLAY_TEXT_H
#define ARENA_COMMANDS_REPLAY_TEXT_H

#include "arena/replay/replay.h"

/*
 * Tells the whole match. path is where it came from, for the commands that show a forfeit again.
 * Returns a command's status; what the rules forbid is said on standard error.
 */
int replay_text_print(const struct replay *replay, const char *path);

#endif
