/*
 * A match on the terminal: draws a position as text (the table, the boards and the last decision),
 * and lets the user step through a replay. A tile is the letter of its color, on that color if the
 * terminal has colors. A drawing fits 80 columns and 24 rows.
 */
#ifndef ARENA_COMMANDS_REPLAY_SCREEN_H
#define ARENA_COMMANDS_REPLAY_SCREEN_H

#include <stdio.h>

#include "arena/replay/effect.h"
#include "arena/replay/replay.h"

/* The contents of a screen. Strings are borrowed and must be escaped for a terminal. */
struct screen {
    bool colors; /* tiles are drawn on their colors, not as letters only */
    const struct position *position;
    const char *const *names; /* names of the bots, by seat */
    const char *said;         /* description of the decision that led to the position */
    const char *note;         /* the bot's note on that decision; "": none */
    const char *state;        /* text at the right of the first row */
    const struct effect_final
        *finals; /* final scoring by seat, drawn in place of the table; or NULL */
};

enum screen_limits {
    SCREEN_COLUMNS = 80, /* width of a screen, in columns */
    SCREEN_ROWS = 24,
    SCREEN_BOARD_ROWS = 15, /* height of the drawing of screen_draw_boards, in rows */
};

/* Draws only the table and the boards, from the top left. Of the strings, uses only the names. */
void screen_draw_boards(FILE *stream, const struct screen *screen);

/* Draws from the top left of the terminal, row by row. Clears each row to its end. */
void screen_draw(FILE *stream, const struct screen *screen);

/*
 * Draws a replay on the terminal, where the user steps through it with the keys of its page. path
 * is the name of the replay in messages. Returns a command's status.
 */
int replay_watch_run(const struct replay *replay, const char *path);

#endif
