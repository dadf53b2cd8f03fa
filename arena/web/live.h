/*
 * The games under way, as they were some time ago: a thread of the desk reads the daemon's status
 * every second and keeps what it read for as long as a season may delay its live games.
 */
#ifndef ARENA_WEB_LIVE_H
#define ARENA_WEB_LIVE_H

#include <jansson.h>
#include <stdint.h>

enum live_limits {
    LIVE_DELAY_S_MAX = 600,
};

/* Starts the thread, which never ends. Returns 0 or -errno. */
int live_start(const char *status_path);

/*
 * Returns the games under way so many seconds ago, an array as in the daemon's status: a new
 * reference; empty if it is not known.
 */
json_t *live_games(int delay_s);

#endif
