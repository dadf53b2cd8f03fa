/*
 * Plays a season with real bots, on an event loop that is passed in: takes games from the season,
 * has them played by the runner, and brings each back to be stored as soon as it has ended. What
 * takes time is done elsewhere: worker.h plans and stores, staging.h unpacks.
 */
#ifndef ARENA_SEASON_PLAYER_H
#define ARENA_SEASON_PLAYER_H

#include "arena/play/runner.h"
#include "arena/season/worker.h"

enum player_limits {
    PLAYER_ERROR_BYTES = SOURCE_ERROR_BYTES,
};

/* How a run stands; may be read on the loop. */
struct player_report {
    int64_t played_count;            /* in this run: those that are stored */
    int64_t void_count;              /* games begun and not kept: given up, or over too late */
    int64_t forfeit_count;           /* seats that did not play to the end, in those */
    int step;                        /* what season_next said last: enum season_step or -errno */
    bool was_stopped;                /* by player_interrupt */
    struct worker_standing standing; /* of the season */
    bool failed;                     /* the arena failed */
    char error[PLAYER_ERROR_BYTES];  /* failed: one line that says why */
};

struct player_options {
    struct season *season;             /* the player's, with its store, until ended_fn */
    const struct transport *transport; /* borrowed while it plays */
    const struct sandbox *sandbox;     /* that the bots run in, NULL: in none (a test) */
    const char *program;               /* the arena, which unpacks packages; NULL: this program */
    int job_count;                     /* games at a time */
    struct runner_jobs *jobs;          /* shared with others on the loop, or NULL; borrowed */
    bool is_practice;                  /* with jobs: has a tenth of them while others wait */
    bool pin;                          /* each game keeps a core of its own */
    struct table_rules rules;
    int64_t game_limit; /* begin no new group after so many games; 0: none */

    /* Every half second, for a progress line. May be NULL. */
    void (*tick_fn)(void *owner, const struct player_report *report);

    /* As that of struct runner_options. May be NULL. */
    void (*fewer_fn)(int job_count, const struct sandbox_failure *failure);

    /* It is over: all that was played is stored. The player may be destroyed. */
    void (*ended_fn)(void *owner, const struct player_report *report);
    void *owner;
};

struct player;

/*
 * Plays until the budget is spent, the season is decided, the limit is reached, it is interrupted
 * or the arena fails. NULL with errno set: then ended_fn is not called.
 */
struct player *player_start(struct ev_loop *loop, const struct player_options *options);

/* Calls game_fn for each game under way, by slot; what is told is borrowed for the call. */
void player_games_each(const struct player *player,
                       void (*game_fn)(void *context, const struct table *table), void *context);

/* The first time: games under way are played to their end. The second: they are given up. */
void player_interrupt(struct player *player);

/* How it stands; the player's own. */
const struct player_report *player_report(const struct player *player);

/* Gives up games under way; what had ended is stored first. Takes NULL. */
void player_destroy(struct player *player);

/*
 * The same in the foreground: blocks, and takes SIGINT and SIGTERM for interruptions. The options'
 * ended_fn is not called. Returns 0, or -1 when the arena failed: report->error says why.
 */
int player_run(const struct player_options *options, struct player_report *report);

#endif
