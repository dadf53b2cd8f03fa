/*
 * Why an answer is no legal action, in one line for the bot's author. Pure; judges nothing:
 * game_apply does.
 */
#ifndef ARENA_PLAY_ILLEGAL_H
#define ARENA_PLAY_ILLEGAL_H

#include "engine/game.h"
#include "sdk/wire.h"

enum illegal_limits {
    ILLEGAL_BYTES = 192, /* of the line, NUL included */
};

/* words: why act is none of the legal actions, at least one of them, of the game's decision. */
void illegal_explain(char words[static ILLEGAL_BYTES], const struct game *game,
                     const struct wire_act *act, const struct action *legal, size_t legal_count);

#endif
