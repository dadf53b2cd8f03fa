/*
 * Plays an action of a known kind that is known to be legal, given as its word (word.h), and
 * advances to the next decision or the end of the game. rules.md sections 4 to 7.
 */
#ifndef ENGINE_TURN_H
#define ENGINE_TURN_H

#include "engine/state.h"

/* Returns the next seat clockwise. */
static inline int turn_seat_after(int seat, int player_count)
{
    return seat + 1 == player_count ? 0 : seat + 1;
}

/* Deducts points; the score does not fall below GAME_SCORE_MIN. */
static inline void turn_lose_points(struct game_seat *seat, int points)
{
    seat->score -= points;
    if (seat->score < GAME_SCORE_MIN)
        seat->score = GAME_SCORE_MIN;
}

/* Call after the last draft of a round, or if there was nothing to draft. */
void turn_begin_placing(struct game *game);

void turn_draft(struct game *game, uint64_t word);
void turn_place(struct game *game, uint64_t word);
void turn_take_bonus(struct game *game, uint64_t word);
void turn_pass(struct game *game, uint64_t word);

#endif
