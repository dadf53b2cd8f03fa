/* SPDX-License-Identifier: MIT */
/*
 * The viewer: one self-contained page that shows a match. The page of a match that is over makes no
 * requests, and works from a folder and from a web server; that of a match under way asks its
 * server for the file that grows with it. A page allows only its own script and style
 * (Content-Security-Policy by hash). Without scripts it still describes the match in words.
 */
#ifndef ARENA_SITE_VIEWER_H
#define ARENA_SITE_VIEWER_H

#include <jansson.h>
#include <stdio.h>

#include "arena/replay/replay.h"
#include "arena/site/page.h"

enum {
    VIEWER_LINK_BYTES = 256
};

/* The content of a page. */
struct viewer_page {
    struct pages *pages;
    const struct replay *replay;
    const uint8_t *bytes; /* the stored replay, which the page's save button saves */
    size_t size;
    const char *path;       /* path of the replay in commands that repeat a forfeit */
    const double *ratings;  /* live Elo of each seat before the game, NAN if unknown; NULL: the page
                               shows none */
    const char *rules_link; /* relative link to how the game is played, or NULL */
    const char *home_link;  /* relative link to the season's page, or NULL */
    bool is_unlisted;       /* the match belongs to no season: home_link is the site's home page */
    char (*bot_links)[VIEWER_LINK_BYTES]; /* relative links to the pages of the seats' bots, or
                                             NULL */
    const char *play_link; /* relative link to the page for playing, where the match can be played
                              on from any decision; or NULL */
    const char *card_link; /* whole address of the match's card (card.h), or NULL */
    FILE *card;            /* receives the card as SVG; NULL: none is written */
    /*
     * JSON that an analyst made of the replay (docs/site.md), which the page then shows; NULL:
     * none.
     */
    const json_t *analysis;
    /*
     * Of a match under way: address, relative to the page, of the file that grows with it; the page
     * then lacks the result and the replay. NULL: the match is over.
     */
    const char *live;
};

/*
 * Returns what the scripts of pages need to know of a side of the board: the names of colors and
 * stars, the costs of spaces, and the spaces of features; a new reference.
 */
json_t *viewer_board(enum board_side side);

/* Returns the spaces of a board, drawn in half pixels around its center: a path for each color and
 * one for what is empty, for the template board. A new reference. */
json_t *viewer_spaces(const struct position_seat *seat);

/*
 * Writes the page, unless it is NULL: then only the card. Returns 0 or -errno after writing one
 * line to error: -EBADMSG if the replay breaks the rules. The output is then incomplete.
 */
int viewer_write(FILE *page, const struct viewer_page *viewer,
                 char error[static REPLAY_ERROR_BYTES]);

/* ---- a match under way: its page, and the lines of the file that grows with it ---- */

struct viewer_live;

/*
 * Writes the page of a match at its first decision, and sets *head, a new reference: the data in
 * that page, which are the file's first line. Borrows what viewer points to; its replay has the
 * terms and the bots, and grows. Returns NULL after writing one line to error.
 */
struct viewer_live *viewer_live_begin(FILE *page, const struct viewer_page *viewer, json_t **head,
                                      char error[static REPLAY_ERROR_BYTES]);

/*
 * Plays the decisions that were added to the replay. Returns the next line of the file, which the
 * page's script adds to the data: a new reference. is_over: the replay has its result, and no more
 * follows. Returns NULL after writing one line to error.
 */
json_t *viewer_live_take(struct viewer_live *live, bool is_over,
                         char error[static REPLAY_ERROR_BYTES]);

/* Returns the game as far as it was played. */
const struct game *viewer_live_game(const struct viewer_live *live);

/* Accepts NULL. */
void viewer_live_end(struct viewer_live *live);

/*
 * Writes a page to a file, and may replace an older page of a match. Returns 0 or -errno: -EEXIST
 * if the file exists and is not such a page; the file is then unchanged.
 */
int viewer_put(const char *path, const char *page, size_t size);

#endif
