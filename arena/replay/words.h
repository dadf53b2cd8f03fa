/*
 * Describes a match in words, for people: what each decision did, with the names of colors and
 * stars. Used by the text of `arena replay`, the pages and the terminal. Writes only to the given
 * stream.
 */
#ifndef ARENA_REPLAY_WORDS_H
#define ARENA_REPLAY_WORDS_H

#include <stdio.h>

#include "arena/replay/effect.h"
#include "arena/replay/replay.h"

enum words_limits {
    WORDS_NO_WILD = -1, /* no color is marked as wild */
};

/* Returns "green star", "top left star", "center star"; a static string. */
const char *words_star(enum board_side side, int star);

/*
 * Writes "3 blue and 1 wild red"; "nothing" for no tiles. first is the color to list first, or -1.
 */
void words_tiles(FILE *stream, const uint8_t tiles[static GAME_COLORS], int first, int wild);

/* Writes "places 5 on the green star, 5 green: +4, 23 points", without the player's name. */
void words_effect(FILE *stream, const struct effect *effect);

/*
 * Returns the display name of a seat: its bot's name with control characters escaped; "seat 1" if
 * it has no name; "NAME (seat 1)" if another seat has the same name. The caller frees it. NULL if
 * memory runs out.
 */
char *words_seat(const struct replay *replay, int seat);

/* Writes "is out: timeout: no complete answer by the deadline" for a seat that is out. */
void words_out(FILE *stream, const struct replay *replay, int seat);

#endif
