/*
 * Playing an action of a known kind and known to be legal, as its word (word.h), to the
 * next decision or the end of the game. rules.md sections 4 to 7.
 */
#ifndef ENGINE_TURN_H
#define ENGINE_TURN_H

#include "engine/state.h"

void turn_draft(struct game *game, uint64_t word);
void turn_place(struct game *game, uint64_t word);
void turn_take_bonus(struct game *game, uint64_t word);
void turn_pass(struct game *game, uint64_t word);

#endif
