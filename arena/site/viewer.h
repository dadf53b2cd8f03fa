/*
 * The viewer: one page that shows a match, complete in itself. It makes no request to any host,
 * allows no script or style but its own (Content-Security-Policy by hash), and works from a
 * folder as from a web server. Without scripts it still tells the match in words.
 */
#ifndef ARENA_SITE_VIEWER_H
#define ARENA_SITE_VIEWER_H

#include <stdio.h>

#include "arena/replay/replay.h"

/* What a page knows beside the replay. */
struct viewer_page {
    const struct replay *replay;
    const uint8_t *bytes; /* the replay as it is stored, for the button that saves it */
    size_t size;
    const char *path;      /* for the commands that show a forfeit again: a file, or a game's id */
    const double *ratings; /* live Elo by seat before the game, NAN where unknown; or NULL */
    const char *home_link; /* of the site that the page belongs to, or NULL */
};

/* The first bytes of every page that viewer_write writes; another version's pages differ here. */
void viewer_write_start(FILE *page);

/*
 * Writes the page. Returns 0, or -1 after writing one line to error: the record breaks the rules,
 * or memory is out. What was written until then is no page.
 */
int viewer_write(FILE *page, const struct viewer_page *viewer,
                 char error[static REPLAY_ERROR_BYTES]);

#endif
