/*
 * Judges a game that a worker played and delivered. Workers only play: whatever a delivery says is
 * compared with the schedule and with the rules, before the game is stored as if it had been played
 * here. Pure: no store, no clock.
 *
 * A delivery is the replay and the time that the game took. The judge
 * - compares the terms: match, seed, board, clock, memory, names, and each seat's bot;
 * - plays the replay again: every decision, hash, score, rank and reason follows from it;
 * - refuses times that do not fit the clock, each other or the calendar;
 * - refuses forfeits that the replay does not bear out: a seat that is out without a record or the
 *   reverse, one that was late within its limit, an illegal answer that is legal.
 *
 * A replay cannot prove that the bot itself chose these moves, took this long, or crashed:
 * docs/seasons.md says how to ask a bot again.
 */
#ifndef ARENA_SEASON_JUDGE_H
#define ARENA_SEASON_JUDGE_H

#include "arena/season/result.h"
#include "arena/season/season.h"

enum judge_limits {
    JUDGE_WORDS_BYTES = 384, /* room for one line */
};

/*
 * Returns the result of `game`, ready to be stored; result_destroy frees it. Or NULL: `words` is
 * one line that says what is wrong, "" if memory ran out. now_us is since 1970.
 */
struct game_result *judge_delivery(const struct season *season, const struct season_game *game,
                                   const uint8_t *replay, size_t size, int64_t wall_us,
                                   int64_t now_us, char words[static JUDGE_WORDS_BYTES]);

#endif
