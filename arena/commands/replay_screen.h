/*
 * A position of a match drawn as text for a terminal: table, boards, what was just decided. Each
 * tile is its color's letter, on its color where the terminal has colors. Fits 80 columns and 24
 * rows. Only writes to the stream that it is given.
 */
#ifndef ARENA_COMMANDS_REPLAY_SCREEN_H
#define ARENA_COMMANDS_REPLAY_SCREEN_H

#include <stdio.h>

#include "engine/state.h"

enum screen_colors {
    SCREEN_PLAIN = 0,     /* letters only */
    SCREEN_SIXTEEN = 1,   /* the terminal's own 16 colors */
    SCREEN_TRUECOLOR = 2, /* 24 bits */
};

/* What is shown. Strings are borrowed, and hold nothing that acts on a terminal. */
struct screen {
    enum screen_colors colors;
    const struct position *position;
    const char *const *names; /* by seat */
    const char *said;         /* the decision that led here, in words */
    const char *note;         /* what its bot said of it, or "" */
    const char *state;        /* at the right of the first row */
};

enum screen_limits {
    SCREEN_COLUMNS = 80, /* that a screen takes */
    SCREEN_ROWS = 24,
    SCREEN_BOARD_ROWS = 15, /* of them, that screen_draw_boards takes */
};

/* What the terminal of standard output shows, by NO_COLOR, COLORTERM and TERM. */
enum screen_colors screen_find_colors(void);

/* Draws table and boards only, from the top left; strings but names are not looked at, and state.
 */
void screen_draw_boards(FILE *stream, const struct screen *screen);

/* Draws from the top left of the terminal, row by row, each cleared to its end. */
void screen_draw(FILE *stream, const struct screen *screen);

#endif
