/*
 * Inside a check: what the games that were played say of each step, as its entries.
 */
#ifndef ARENA_TRIAL_CHECK_JUDGE_H
#define ARENA_TRIAL_CHECK_JUDGE_H

#include "arena/trial/check.h"
#include "arena/trial/solo.h"

/* Enters the steps from first to end - 1 as not tried. */
void check_skip(struct check *check, enum check_step first, enum check_step end, const char *words);

/* Start and hello, by the first game. False if nothing more can be tried: all else is skipped. */
bool check_judge_start(struct check *check, struct solo *solo);

/* Each kind of turn and the end, by the first game, in whose met those of others are included.
   False if nothing more is worth a try: all else is skipped. */
bool check_judge_turns(struct check *check, struct solo *solo);

/* One more game, as one step. Takes its forfeit. */
void check_judge_game(struct check *check, enum check_step step, struct solo *solo);

/* How its processes left, in all games. */
void check_judge_exit(struct check *check);

/* The game against itself; forfeit is the first seat's that went out, taken over, or NULL. match is
   the game's id. */
void check_judge_self_play(struct check *check, struct forfeit *forfeit, int seat,
                           const char *match);

#endif
