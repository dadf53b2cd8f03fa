/* Internal to a check: derives the entry of each step from the games that were played. */
#ifndef ARENA_TRIAL_CHECK_JUDGE_H
#define ARENA_TRIAL_CHECK_JUDGE_H

#include "arena/trial/check.h"
#include "arena/trial/solo.h"

/* Enters the steps first..end - 1 as skipped. */
void check_skip(struct check *check, enum check_step first, enum check_step end, const char *words);

/*
 * Judges start and hello by the first game. Returns false, with all other steps skipped, if the
 * check cannot continue.
 */
bool check_judge_start(struct check *check, struct solo *solo);

/*
 * Judges each kind of turn and the end by the first game; solo->met includes the phases met in
 * other games. Returns false, with all other steps skipped, if continuing is pointless.
 */
bool check_judge_turns(struct check *check, struct solo *solo);

/* Judges another game as one step. Takes ownership of its forfeit. */
void check_judge_game(struct check *check, enum check_step step, struct solo *solo);

/* Judges how the bot's processes exited in all games. */
void check_judge_exit(struct check *check);

/*
 * Judges the game of the bot against itself. forfeit is that of the first seat that was out, or
 * NULL; takes ownership of it. match is the game's id.
 */
void check_judge_self_play(struct check *check, struct forfeit *forfeit, int seat,
                           const char *match);

#endif
