/*
 * The display for a person who plays: the table, redrawn on a terminal; or, if plain, line after
 * line without color and cursor movement.
 */
#ifndef ARENA_COMMANDS_PLAY_VIEW_H
#define ARENA_COMMANDS_PLAY_VIEW_H

#include <stdbool.h>

#include "arena/commands/replay_screen.h"
#include "arena/person/dialog.h"

enum play_view_limits {
    PLAY_VIEW_NEWS_MAX = 16, /* lines kept for drawing */
};

struct play_view {
    bool plain;
    enum screen_colors colors;
    bool open;                     /* the screen is in use */
    char *names[GAME_PLAYERS_MAX]; /* by seat, escaped for a terminal; owned */
    int seat;                      /* the person's */
    char *news[PLAY_VIEW_NEWS_MAX];
    int news_count;
    bool has_told_table; /* plain: the table was printed since the position changed */
};

/*
 * Opens the view: plain if requested, or if standard output is not a terminal of at least 80 x 24.
 */
void play_view_open(struct play_view *view, bool plain);

/* Restores the terminal and frees memory. Accepts a zeroed view. */
void play_view_close(struct play_view *view);

/* Adds a line of news. Takes ownership of text, which is escaped for a terminal; ignores NULL. */
void play_view_add_news(struct play_view *view, char *text);

/* Clears the news, after the person has decided. */
void play_view_clear_news(struct play_view *view);

/* Shows the table while bots think. */
void play_view_show(struct play_view *view, const struct position *position, const char *state);

/* Shows a decision to be made: table, items, message and prompt. */
void play_view_ask(struct play_view *view, const struct position *position, struct dialog *dialog,
                   const char *state);

/* Prints the boards in words, if they are not drawn. */
void play_view_tell_boards(const struct play_view *view, const struct position *position);

#endif
