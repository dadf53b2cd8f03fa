/*
 * What a person who plays sees: the table drawn over and over on a terminal, or, plain, one line
 * after another without color and without a cursor that moves.
 */
#ifndef ARENA_COMMANDS_PLAY_VIEW_H
#define ARENA_COMMANDS_PLAY_VIEW_H

#include <stdbool.h>

#include "arena/commands/replay_screen.h"
#include "arena/person/dialog.h"

enum play_view_limits {
    PLAY_VIEW_NEWS_MAX = 16, /* lines kept to be drawn */
};

struct play_view {
    bool plain;
    enum screen_colors colors;
    bool open;                     /* the screen is ours */
    char *names[GAME_PLAYERS_MAX]; /* by seat, fit for a terminal; owned */
    int seat;                      /* the person's */
    char *news[PLAY_VIEW_NEWS_MAX];
    int news_count;
    bool has_told_table; /* plain: since the position changed */
};

/* Begins: plain if asked for, or where standard output is no terminal of 80 x 24 or more. */
void play_view_open(struct play_view *view, bool plain);

/* Gives the terminal back as it was, and frees. Takes a zeroed one. */
void play_view_close(struct play_view *view);

/* A line of news: takes text over, which is fit for a terminal; NULL is left out. */
void play_view_add_news(struct play_view *view, char *text);

/* The person has decided: what is news from here on is new. */
void play_view_clear_news(struct play_view *view);

/* Shows the table while bots think. */
void play_view_show(struct play_view *view, const struct position *position, const char *state);

/* Shows a decision that is due: table, items, message and prompt. */
void play_view_ask(struct play_view *view, const struct position *position, struct dialog *dialog,
                   const char *state);

/* Tells the boards in words, where they are not drawn. */
void play_view_tell_boards(const struct play_view *view, const struct position *position);

#endif
