/*
 * Plays a season with real bots on the caller's event loop: takes games from the season, has the
 * runner play them, and stores each result as soon as the game has ended. Slow work is done
 * elsewhere: season_thread.h plans and stores, staging.h unpacks.
 */
#ifndef ARENA_SEASON_PLAYER_H
#define ARENA_SEASON_PLAYER_H

#include "arena/play/runner.h"
#include "arena/season/season_thread.h"

enum player_limits {
    PLAYER_ERROR_BYTES = SOURCE_ERROR_BYTES,
};

/* The state of a run; may be read on the loop. */
struct player_report {
    int64_t played_count;  /* games played and stored in this run */
    int64_t void_count;    /* games begun but not stored: given up, or ended too late */
    int64_t forfeit_count; /* seats in the played games that did not play to the end */
    int step;              /* the last result of season_next: enum season_step or -errno */
    bool was_stopped;      /* player_interrupt was called */
    struct season_standing standing; /* state of the season */
    bool failed;                     /* the arena failed */
    char error[PLAYER_ERROR_BYTES];  /* failed: one line that says why; else what a dealer waits
                                        for, "" for nothing */
};

struct player_options {
    struct season *season;             /* owned by the player, with its store, until ended_fn */
    const struct transport *transport; /* borrowed until ended_fn */
    const struct sandbox *sandbox;     /* the sandbox of the bots; NULL: none (a test) */
    const char *program;      /* the arena's program, for unpacking packages; NULL: this program */
    int job_count;            /* games at a time */
    struct runner_jobs *jobs; /* jobs shared with other runners on the loop, or NULL; borrowed */
    bool is_practice;         /* with jobs: gets a tenth of them while others wait */
    bool pin;                 /* each game has a core of its own */
    struct table_rules rules;
    int64_t game_limit; /* begin no new group after this many games; 0: no limit */

    /* Called every half second, for a progress line. May be NULL. */
    void (*tick_fn)(void *owner, const struct player_report *report);

    /* The machine has no room for another bot, or to unpack one: a sentence. May be NULL. */
    void (*crowded_fn)(void *owner, const char *words);

    /* The run is over, and all its results are stored. May destroy the player. */
    void (*ended_fn)(void *owner, const struct player_report *report);
    void *owner;
};

struct player;

/*
 * Plays until the budget is spent, the season is decided, the limit is reached, player_interrupt is
 * called or the arena fails. Returns NULL with errno set; then ended_fn is not called.
 */
struct player *player_start(struct ev_loop *loop, const struct player_options *options);

/* Calls game_fn for each running game, in order of slots; table is borrowed for the call. */
void player_games_each(const struct player *player,
                       void (*game_fn)(void *context, const struct table *table), void *context);

/* The first call plays running games to their end and begins no more; the second gives them up. */
void player_interrupt(struct player *player);

/* Returns the current report; owned by the player. */
const struct player_report *player_report(const struct player *player);

/* Gives up running games, after storing those that have ended. Accepts NULL. */
void player_destroy(struct player *player);

/*
 * The same in the foreground: blocks, and treats SIGINT and SIGTERM as player_interrupt. Does not
 * call the options' ended_fn. Returns 0, or -1 if the arena failed, with the cause in
 * report->error.
 */
int player_run(const struct player_options *options, struct player_report *report);

#endif
