/* Writes the pages of a season into a site; those that would be the same are kept. */
#ifndef ARENA_SITE_PUBLISH_SEASON_H
#define ARENA_SITE_PUBLISH_SEASON_H

#include "arena/site/folder.h"
#include "arena/site/season_data.h"

enum publish_season_limits {
    PUBLISH_ALL_GAMES = -1, /* every game gets a page */
};

/* Replays that could not be shown. Zeroed: none. */
struct publish_damage {
    int64_t count;
    char words[FOLDER_ERROR_BYTES]; /* the first one and its fault, in one line */
};

/*
 * newest is the number of newest games of each bot that get a page, or PUBLISH_ALL_GAMES. A damaged
 * replay gets a page that says so, and is counted. Returns 0, or -errno with folder->error set.
 */
int publish_season(struct folder *folder, struct season_data *data, int64_t newest,
                   struct publish_damage *damage);

#endif
