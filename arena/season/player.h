/*
 * Plays a season with real bots: takes games from the season, has them played by the
 * runner, and brings each back to be stored as soon as it has ended.
 */
#ifndef ARENA_SEASON_PLAYER_H
#define ARENA_SEASON_PLAYER_H

#include "arena/play/runner.h"
#include "arena/season/season.h"

enum player_limits {
    PLAYER_ERROR_BYTES = SOURCE_ERROR_BYTES,
};

struct player_options {
    int job_count; /* games at a time */
    bool pin;      /* each game keeps a core of its own */
    struct table_rules rules;
    int64_t game_limit; /* begin no new group after so many games; 0: none */

    /* Every half second and at the end: a time for a progress line. May be NULL. */
    void (*tick_fn)(void *owner);
    void *owner;
};

/* How a run stands; may be read from tick_fn. */
struct player_report {
    int64_t played_count;  /* in this run */
    int64_t forfeit_count; /* seats that did not play to the end, in this run */
    int step;              /* what season_next said last: enum season_step or -errno */
    bool was_stopped;      /* by a signal */
};

/*
 * Plays until the budget is spent, the season is decided, the limit is reached or a signal
 * comes (the first lets games under way end, a second gives them up). Blocks. Returns 0,
 * or -1 with one line in error when the arena failed; all games that had ended are stored.
 */
int player_run(struct season *season, const struct player_options *options, struct sandbox *sandbox,
               struct player_report *report, char error[static PLAYER_ERROR_BYTES]);

#endif
