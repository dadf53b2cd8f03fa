/* SPDX-License-Identifier: MIT */
/*
 * Judges a game that a worker played and delivered. The arena trusts no delivery: it compares each
 * one with the schedule and with the rules before it stores the game like one that it played
 * itself. Pure: no store, no clock.
 *
 * A delivery is the replay and the time that the game took. The judge
 * - compares the terms: match, seed, board, clock, memory, names, and each seat's bot;
 * - plays the replay again, and compares every decision, hash, score, rank and reason;
 * - refuses times that do not fit the clock, each other, the calendar, the cores of the machine, or
 *   the time for which the worker held the group by the store's clock;
 * - refuses forfeits that contradict the replay: a seat that is out without a forfeit record, or
 *   has a record and is not out; a bot "late" within its time limit; an "illegal" answer that is
 *   legal.
 *
 * A replay cannot prove that the bot itself chose these moves, took this long, or crashed:
 * docs/seasons.md says how to play a bot's moves again to check them.
 */
#ifndef ARENA_SEASON_JUDGE_H
#define ARENA_SEASON_JUDGE_H

#include "arena/season/result.h"
#include "arena/season/season.h"
#include "arena/store/leases.h"

enum judge_limits {
    JUDGE_WORDS_BYTES = 384, /* bytes of a refusal's reason, which is one line */
};

/*
 * Returns the result of `game`, ready to be stored; the caller frees it with result_destroy.
 * Returns NULL if the delivery is refused, with the reason as one line in `words`, or if memory ran
 * out, with "" in `words`. now_us counts from 1970.
 */
struct game_result *judge_delivery(const struct season *season, const struct season_game *game,
                                   const struct store_delivery *delivery, int64_t now_us,
                                   char words[static JUDGE_WORDS_BYTES]);

#endif
