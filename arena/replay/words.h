/* SPDX-License-Identifier: MIT */
/*
 * Describes a match in words for people: the effect of each decision, with the names of colors and
 * stars. `arena replay`, the pages and the terminal use these words. Functions write only to the
 * given stream.
 */
#ifndef ARENA_REPLAY_WORDS_H
#define ARENA_REPLAY_WORDS_H

#include <stdio.h>

#include "arena/replay/effect.h"
#include "arena/replay/replay.h"

enum words_limits {
    WORDS_NO_WILD = -1, /* value of wild in words_tiles: no color is wild */
};

/* Returns "green star", "top left star", "center star"; a static string. */
const char *words_star(enum board_side side, int star);

/*
 * Writes "3 blue and 1 wild red", or "nothing" for no tiles. first is the color to list first, or
 * -1; wild is the color to mark as wild, or WORDS_NO_WILD.
 */
void words_tiles(FILE *stream, const uint8_t tiles[static GAME_COLORS], int first, int wild);

enum words_tense {
    WORDS_PRESENT, /* "takes 2 blue" */
    WORDS_ADVICE,  /* "take 2 blue" */
};

/* Writes an action without the player's name and without points: "passes, keeps 1 orange". */
void words_action(FILE *stream, const struct effect *effect, enum words_tense tense);

/*
 * Writes what a decision did, without the player's name: "places 5 on the green star, 5 green: +4,
 * 23 points". words_advice begins with "place".
 */
void words_effect(FILE *stream, const struct effect *effect);
void words_advice(FILE *stream, const struct effect *effect);

/*
 * Writes who played a decision and how fast: " (stand-in)" for the arena; else "; 1.2 ms, bank 10.0
 * s", where bank_us is the time left in the bank; negative: the clock has no bank.
 */
void words_time(FILE *stream, bool by_arena, int64_t us, int64_t bank_us);

/*
 * Returns the name of a seat for display, which the caller frees: the bot's name with control
 * characters escaped; "seat 1" if the bot has no name; "NAME (seat 1)" if another seat has the same
 * name. Returns NULL if memory runs out.
 */
char *words_seat(const struct replay *replay, int seat);

/*
 * Write a position line by line: what lies on the table and in each seat's hand; each space of the
 * boards with its cost and its tile. names are the seats' names, escaped for display.
 */
void words_table(FILE *stream, const struct position *position, char *const names[]);
void words_boards(FILE *stream, const struct position *position, char *const names[]);

/* Writes why a seat is out: "is out: timeout: no complete answer by the deadline". */
void words_out(FILE *stream, const struct replay *replay, int seat);

#endif
