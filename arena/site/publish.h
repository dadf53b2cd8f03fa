/*
 * A site of static pages from a store: index, seasons, bots, pairs, games. Works from a folder as
 * from any web server.
 */
#ifndef ARENA_SITE_PUBLISH_H
#define ARENA_SITE_PUBLISH_H

#include <stdint.h>

#include "arena/site/folder.h"
#include "arena/store/store.h"

enum publish_limits {
    PUBLISH_GAMES = 10,     /* newest games of each bot that get a page, unless said otherwise */
    PUBLISH_ALL_GAMES = -1, /* every game gets one */
    PUBLISH_ERROR_BYTES = FOLDER_ERROR_BYTES,
};

struct publish_request {
    const char *const *seasons; /* names; none: all */
    int season_count;
    const char *folder;
    int64_t games; /* newest ones of each bot with a page, or PUBLISH_ALL_GAMES */
};

struct publish_result {
    int season_count;
    int64_t written_count, kept_count; /* files */
    char error[PUBLISH_ERROR_BYTES];   /* after a failure of ours: one line */
};

/*
 * Writes the site. Returns 0 or -errno with error set: -ENOENT for a season that does not exist,
 * -EEXIST for a folder that is no site. An older site is then as it was.
 */
int publish(struct store *store, const struct publish_request *request,
            struct publish_result *result);

#endif
