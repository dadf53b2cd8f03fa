/*
 * Explains to a bot's author, in one line, why an answer is not a legal action. Pure. Does not
 * decide: game_apply does.
 */
#ifndef ARENA_PLAY_ILLEGAL_H
#define ARENA_PLAY_ILLEGAL_H

#include "engine/game.h"
#include "sdk/wire.h"

enum illegal_limits {
    ILLEGAL_BYTES = 192, /* room for the line, NUL included */
};

/*
 * Writes to words why act is none of the legal actions of the game's current decision. legal_count
 * is at least 1.
 */
void illegal_explain(char words[static ILLEGAL_BYTES], const struct game *game,
                     const struct wire_act *act, const struct action *legal, size_t legal_count);

#endif
