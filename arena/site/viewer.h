/*
 * The viewer: one self-contained page that shows a match. The page makes no requests, allows only
 * its own script and style (Content-Security-Policy by hash), and works from a folder and from a
 * web server. Without scripts the page still describes the match in words.
 */
#ifndef ARENA_SITE_VIEWER_H
#define ARENA_SITE_VIEWER_H

#include <jansson.h>
#include <stdio.h>

#include "arena/replay/replay.h"

enum {
    VIEWER_LINK_BYTES = 256
};

/* The content of a page. */
struct viewer_page {
    const struct replay *replay;
    const uint8_t *bytes; /* the stored replay, which the page's save button saves */
    size_t size;
    const char *path;      /* path of the replay in commands that repeat a forfeit */
    const double *ratings; /* live Elo of each seat before the game, NAN if unknown; NULL: the page
                              shows none */
    const char *home_link; /* relative link to the site's index, or NULL */
    char (*bot_links)[VIEWER_LINK_BYTES]; /* relative links to the pages of the seats' bots, or
                                             NULL */
    const char *picture_link; /* whole address of the picture, for link previews; or NULL */
    FILE *picture;            /* receives the final position as SVG; NULL: no picture is written */
    /*
     * JSON that an analyst made of the replay (docs/site.md), which the page then shows; NULL:
     * none.
     */
    const json_t *analysis;
};

/*
 * Returns what the scripts of pages need to know of a side of the board: the names of colors and
 * stars, the costs of spaces, and the spaces of features; a new reference.
 */
json_t *viewer_board(enum board_side side);

enum viewer_limits {
    /* Room for the line of a position (viewer.c), NUL included. */
    VIEWER_POSITION_BYTES = 6 + 6 * (GAME_DISPLAYS_MAX + 4) + GAME_PLAYERS_MAX * 57 + 1,
};

/* Writes the position of a game as the line of characters that scripts of pages read. */
void viewer_position(const struct game *game, char text[static VIEWER_POSITION_BYTES]);

/*
 * Writes the page. Returns 0; or -1 after writing one line to error, if the replay breaks the rules
 * or memory runs out. The output is then incomplete.
 */
int viewer_write(FILE *page, const struct viewer_page *viewer,
                 char error[static REPLAY_ERROR_BYTES]);

/*
 * Writes a page to a file, and may replace an older page of a match. Returns 0 or -errno: -EEXIST
 * if the file exists and is not such a page; the file is then unchanged.
 */
int viewer_put(const char *path, const char *page, size_t size);

#endif
