/* SPDX-License-Identifier: MIT */
/*
 * Games that nobody has analysed yet and readers would like to see analysed: the newest lost games
 * of each bot, and the best games. A publication, which knows all games, lists them in a file; the
 * daemon has them analysed when the machine is idle (`arena analyse --wanted`).
 */
#ifndef ARENA_SITE_WISHES_H
#define ARENA_SITE_WISHES_H

#include "arena/site/season_data.h"

#define WISHES_FILE "wanted" /* in the folder of analyses: an id a line, newest first */

enum wishes_limits {
    WISHES_LOST = 3,  /* newest lost games of a name that are to have an analysis */
    WISHES_BEST = 10, /* best games of a season, of its newest WISHES_NEWEST */
    WISHES_NEWEST = 500,
    WISHES_MAX = 200, /* games in the file */
};

/* Zeroed: none. */
struct wishes {
    struct wish {
        int64_t started_us;
        char id[STORE_GAME_ID_BYTES];
    } * wishes; /* owned */
    int count;
};

/*
 * Adds the games of a season whose index the caller has made (season_index_make). Returns 0 or
 * -ENOMEM.
 */
int wishes_add(struct wishes *wishes, const struct season_data *data);

/* Writes the file, newest game first, into the folder, which is created. Returns 0 or -errno. */
int wishes_write(struct wishes *wishes, const char *folder);

void wishes_finish(struct wishes *wishes);

#endif
