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

#endif
