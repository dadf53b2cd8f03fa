/*
 * The best of a season's live list as its schedule knows it, for a progress line.
 */
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

/* Rates what the schedule has counted. Leaves leaders as they were where it cannot. */
void leaders_find(struct leaders *leaders, const struct season *season);

#endif
