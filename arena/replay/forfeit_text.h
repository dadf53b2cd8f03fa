/*
 * A forfeit told to people: what happened at which turn and why, what the bot was last asked
 * and wrote, what it said on standard error, and how to see it again.
 */
#ifndef ARENA_REPLAY_FORFEIT_TEXT_H
#define ARENA_REPLAY_FORFEIT_TEXT_H

#include <stdio.h>

#include "arena/play/forfeit.h"

/* Writes one paragraph. name is the bot's; again says how to see it once more, or is NULL. */
void forfeit_text_print(FILE *stream, const struct forfeit *forfeit, int seat, const char *name,
                        const char *again);

#endif
