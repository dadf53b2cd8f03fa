/*
 * Draws a position of a match as text for a terminal: table, boards, last decision. Each tile is
 * its color's letter, on that color if the terminal has colors. Fits 80 columns and 24 rows. Writes
 * only to the given stream.
 */
#ifndef ARENA_COMMANDS_REPLAY_SCREEN_H
#define ARENA_COMMANDS_REPLAY_SCREEN_H

#include <stdio.h>

#include "engine/state.h"

enum screen_colors {
    SCREEN_PLAIN = 0,     /* letters only */
    SCREEN_SIXTEEN = 1,   /* the terminal's 16 colors */
    SCREEN_TRUECOLOR = 2, /* 24-bit colors */
};

/* The contents. Strings are borrowed and must be escaped for a terminal. */
struct screen {
    enum screen_colors colors;
    const struct position *position;
    const char *const *names; /* names of the bots, by seat */
    const char *said;         /* the decision that led to the position, in words */
    const char *note;         /* the bot's note on that decision, or "" */
    const char *state;        /* shown at the right of the first row */
};

enum screen_limits {
    SCREEN_COLUMNS = 80, /* width of a screen */
    SCREEN_ROWS = 24,
    SCREEN_BOARD_ROWS = 15, /* height of screen_draw_boards */
};

/* Returns the colors of the terminal on standard output, from NO_COLOR, COLORTERM and TERM. */
enum screen_colors screen_find_colors(void);

/* Draws only table and boards, from the top left; of the strings, uses only names. */
void screen_draw_boards(FILE *stream, const struct screen *screen);

/* Draws from the top left of the terminal, row by row, clearing each row to its end. */
void screen_draw(FILE *stream, const struct screen *screen);

#endif
