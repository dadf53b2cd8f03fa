/*
 * Draws a position of a match as text for a terminal: the table, the boards and the last decision.
 * A tile is the letter of its color, on that color if the terminal has colors. A drawing fits 80
 * columns and 24 rows. Writes only to the given stream.
 */
#ifndef ARENA_COMMANDS_REPLAY_SCREEN_H
#define ARENA_COMMANDS_REPLAY_SCREEN_H

#include <stdio.h>

#include "engine/state.h"

enum screen_colors {
    SCREEN_PLAIN = 0,     /* no colors, only letters */
    SCREEN_SIXTEEN = 1,   /* the 16 colors of the terminal */
    SCREEN_TRUECOLOR = 2, /* 24-bit colors */
};

/* The contents of a screen. Strings are borrowed and must be escaped for a terminal. */
struct screen {
    enum screen_colors colors;
    const struct position *position;
    const char *const *names; /* names of the bots, by seat */
    const char *said;         /* description of the decision that led to the position */
    const char *note;         /* the bot's note on that decision; "": none */
    const char *state;        /* text at the right of the first row */
};

enum screen_limits {
    SCREEN_COLUMNS = 80, /* width of a screen, in columns */
    SCREEN_ROWS = 24,
    SCREEN_BOARD_ROWS = 15, /* height of the drawing of screen_draw_boards, in rows */
};

/* Returns which colors the terminal on standard output has, from NO_COLOR, COLORTERM and TERM. */
enum screen_colors screen_find_colors(void);

/* Draws only the table and the boards, from the top left. Of the strings, uses only the names. */
void screen_draw_boards(FILE *stream, const struct screen *screen);

/* Draws from the top left of the terminal, row by row. Clears each row to its end. */
void screen_draw(FILE *stream, const struct screen *screen);

#endif
