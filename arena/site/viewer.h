/*
 * The viewer: a single self-contained page that shows a match. It makes no requests, allows only
 * its own script and style (Content-Security-Policy by hash), and works from a folder and from a
 * web server. Without scripts it still describes the match in words.
 */
#ifndef ARENA_SITE_VIEWER_H
#define ARENA_SITE_VIEWER_H

#include <stdio.h>

#include "arena/replay/replay.h"

/* What a page needs besides the replay. */
struct viewer_page {
    const struct replay *replay;
    const uint8_t *bytes; /* the stored replay, for the save button */
    size_t size;
    const char *path;      /* of the replay, for commands that repeat a forfeit */
    const double *ratings; /* live Elo by seat before the game, NAN if unknown; or NULL */
    const char *home_link; /* link to the site's index, or NULL */
};

/* Returns a number for how this version of the arena writes the page. */
uint64_t viewer_form(void);

/*
 * Writes the page. Returns 0, or -1 after writing one line to error: the replay breaks the rules,
 * or memory ran out. The output is then incomplete.
 */
int viewer_write(FILE *page, const struct viewer_page *viewer,
                 char error[static REPLAY_ERROR_BYTES]);

/*
 * Writes a page to a file, which may exist if it is a page. Returns 0 or -errno; -EEXIST for any
 * other file, which is left unchanged.
 */
int viewer_put(const char *path, const char *page, size_t size);

#endif
