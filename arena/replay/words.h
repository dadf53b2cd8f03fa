/*
 * A match in words, for people: what each decision did, in the names of colors and stars. The
 * text of `arena replay`, the pages and the terminal take their words from here. Only writes to
 * the stream that it is given.
 */
#ifndef ARENA_REPLAY_WORDS_H
#define ARENA_REPLAY_WORDS_H

#include <stdio.h>

#include "arena/replay/effect.h"
#include "arena/replay/replay.h"

enum words_limits {
    WORDS_NO_WILD = -1, /* no color is told as wild */
};

/* "green star", "top left star", "center star"; a static string. */
const char *words_star(enum board_side side, int star);

/* "3 blue and 1 wild red"; "nothing" for no tiles. first, a color or -1, is told first. */
void words_tiles(FILE *stream, const uint8_t tiles[static GAME_COLORS], int first, int wild);

/* "places 5 on the green star, 5 green: +4, 23 points": without the name of who did it. */
void words_effect(FILE *stream, const struct effect *effect);

/*
 * What a seat is called: its bot's name with control characters shown, "seat 1" without a name,
 * "NAME (seat 1)" where another has the same. For the caller to free; NULL when memory is out.
 */
char *words_seat(const struct replay *replay, int seat);

/* "is out: timeout: no complete answer by the deadline", of a seat that went out. */
void words_out(FILE *stream, const struct replay *replay, int seat);

#endif
