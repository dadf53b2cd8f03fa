/* One line on the progress of a season, for a terminal. Pure: writes text. */
#ifndef ARENA_SEASON_PROGRESS_H
#define ARENA_SEASON_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum progress_limits {
    PROGRESS_TOP = 3, /* bots of the ladder in the line */
    PROGRESS_LINE_BYTES = 512,
};

struct progress {
    int64_t done_count; /* games played in the season */
    int64_t budget_games;
    int64_t run_count; /* games played in this run */
    int64_t run_us;    /* time since this run began */
    int64_t forfeit_count;
    bool ending; /* after a first Ctrl-C: running games are played to their end */
    int top_count;
    const char *top_names[PROGRESS_TOP]; /* best first */
    double top_elo[PROGRESS_TOP];
};

/*
 * Writes "12/100 games, 3.4 a second, 26 s left, 1 forfeit; ant 1714, bee 1663", cut to at most
 * `columns` bytes, never within a character.
 */
void progress_write(const struct progress *progress, size_t columns,
                    char line[static PROGRESS_LINE_BYTES]);

#endif
