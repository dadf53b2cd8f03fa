/*
 * The display of a match for the person who plays: the table, redrawn on a terminal; or, in plain
 * mode, line after line without color and cursor movement.
 */
#ifndef ARENA_COMMANDS_PLAY_VIEW_H
#define ARENA_COMMANDS_PLAY_VIEW_H

#include <stdbool.h>

#include "arena/commands/replay_screen.h"
#include "arena/person/dialog.h"

enum play_view_limits {
    PLAY_VIEW_NEWS_MAX = 16, /* number of news lines kept for drawing */
};

struct play_view {
    bool plain;
    enum screen_colors colors;
    bool open;                     /* the terminal shows the view */
    char *names[GAME_PLAYERS_MAX]; /* names by seat, escaped for a terminal; owned */
    int seat;                      /* seat of the person */
    char *news[PLAY_VIEW_NEWS_MAX];
    int news_count;
    bool has_told_table; /* in plain mode: the table was printed since the position changed */
};

/*
 * Opens the view: in plain mode if `plain` is set or if standard output is not a terminal of at
 * least 80 columns and 24 rows.
 */
void play_view_open(struct play_view *view, bool plain);

/* Restores the terminal and frees memory. Accepts a zeroed view. */
void play_view_close(struct play_view *view);

/* Adds a line of news. text must be escaped for a terminal; the view frees it. Ignores NULL. */
void play_view_add_news(struct play_view *view, char *text);

/* Removes the news; called after the person has decided. */
void play_view_clear_news(struct play_view *view);

/* Shows the table and `state`, while bots think. */
void play_view_show(struct play_view *view, const struct position *position, const char *state);

/* Shows a decision that the person has to make: table, items, message and prompt. */
void play_view_ask(struct play_view *view, const struct position *position, struct dialog *dialog,
                   const char *state);

/* In plain mode, prints the boards in words. */
void play_view_tell_boards(const struct play_view *view, const struct position *position);

#endif
