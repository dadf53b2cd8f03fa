/*
 * The progress of a running season: the top of its live list, and a line for a terminal. Pure: only
 * computes and writes text.
 */
#ifndef ARENA_SEASON_PROGRESS_H
#define ARENA_SEASON_PROGRESS_H

#include "arena/season/season.h"

enum progress_limits {
    PROGRESS_LEADERS = 3,
    PROGRESS_LINE_BYTES = 512,
};

/* The top of the live list, best first. */
struct leaders {
    int count;
    char names[PROGRESS_LEADERS][STORE_NAME_BYTES_MAX + 1];
    double elo[PROGRESS_LEADERS];
};

struct progress {
    int64_t done_count; /* number of games played in the season */
    int64_t budget_games;
    int64_t run_count; /* number of games played in this run */
    int64_t run_us;    /* time since this run began */
    int64_t forfeit_count;
    bool ending; /* the user pressed Ctrl-C once: running games are played to their end */
    struct leaders leaders;
};

/*
 * Rates the schedule's results by live Elo and lists the best. Leaves *leaders unchanged on
 * failure.
 */
void leaders_find(struct leaders *leaders, const struct season *season);

/*
 * Writes a line such as "12/100 games, 3.4 a second, 26 s left, 1 forfeit; ant 1714, bee 1663", cut
 * to at most `columns` bytes, never within a character.
 */
void progress_write(const struct progress *progress, size_t columns,
                    char line[static PROGRESS_LINE_BYTES]);

#endif
