/* The top of a season's live list, computed from its schedule, for a progress line. */
#ifndef ARENA_SEASON_LEADERS_H
#define ARENA_SEASON_LEADERS_H

#include "arena/season/season.h"

enum leaders_limits {
    LEADERS_MAX = 3,
};

/* Best first. */
struct leaders {
    int count;
    char names[LEADERS_MAX][STORE_NAME_BYTES_MAX + 1];
    double elo[LEADERS_MAX];
};

/* Computes the live ratings of the schedule's results. Leaves leaders unchanged on failure. */
void leaders_find(struct leaders *leaders, const struct season *season);

#endif
