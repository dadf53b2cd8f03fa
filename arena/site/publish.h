/* SPDX-License-Identifier: MIT */
/*
 * Publishes a store as static pages: home, seasons, bots, pairs, games, authors, leagues,
 * documents. Browsers can open the site from a folder or from any web server.
 */
#ifndef ARENA_SITE_PUBLISH_H
#define ARENA_SITE_PUBLISH_H

#include <stdint.h>

#include "arena/site/folder.h"
#include "arena/store/store.h"

enum publish_limits {
    PUBLISH_ALL_GAMES = -1, /* every game gets a page */
    PUBLISH_GAMES = 10,     /* default number of newest games of each bot that get a page */
    PUBLISH_ERROR_BYTES = FOLDER_ERROR_BYTES,
};

/* The replays that could not be shown. Zeroed: none. */
struct publish_damage {
    int64_t count;
    char words[FOLDER_ERROR_BYTES]; /* id and fault of the first damaged replay, in one line */
};

struct publish_request {
    const char *const *seasons; /* names of the seasons to publish */
    int season_count;
    const char *folder;
    bool links_live;     /* pages link to /live, which `arena web` serves */
    const char *address; /* public address of the site, without "/" at its end; NULL: unknown. Cards
                            (card.h) need it */
    const char *contact; /* how to reach the organizer; NULL: unknown */
    const char *templates; /* folder of the pages' templates; NULL: those of the program */
    const char *program;   /* archive of the program, which the site offers; NULL: none */
    const char *analyses;  /* folder with the file GAME.json of each analysed game; NULL: none */
    bool wishes;           /* write which games are to be analysed next to that folder (wishes.h) */
    int64_t games; /* number of newest games of each bot that get a page, or PUBLISH_ALL_GAMES */
};

struct publish_result {
    int season_count;
    int64_t written_count, kept_count; /* number of files */
    struct publish_damage damage;
    char error[PUBLISH_ERROR_BYTES]; /* one line, after a failure of the arena */
};

/*
 * Writes the site. Returns 0, or -errno with error set: -ENOENT if a season does not exist, -EEXIST
 * if the folder is not a site. After a failure the older site is unchanged.
 */
int publish(struct store *store, const struct publish_request *request,
            struct publish_result *result);

/*
 * Finds the season that the home page shows at its top. Returns 0, -ENOENT if there is none, or
 * another -errno that store_failure explains.
 */
int publish_find_shown(struct store *store, struct store_season *season);

#endif
