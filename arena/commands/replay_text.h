/*
 * Describes a match to people on standard output, in 80 columns: each round's deal, each decision
 * in words, the parts of the final scoring.
 */
#ifndef ARENA_COMMANDS_REPLAY_TEXT_H
#define ARENA_COMMANDS_REPLAY_TEXT_H

#include "arena/replay/replay.h"

/*
 * Describes the whole match. path is its name, for commands that repeat a forfeit. Returns a
 * command's status; if the replay breaks the rules, prints where on standard error.
 */
int replay_text_print(const struct replay *replay, const char *path);

#endif
