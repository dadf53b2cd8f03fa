/* SPDX-License-Identifier: MIT */
/*
 * Plays a season with real bots on the caller's event loop: takes games from the season, lets the
 * runner play them, and stores each result as soon as its game has ended. Slow work is done off the
 * loop: a thread plans and stores, staging.h unpacks packages.
 */
#ifndef ARENA_SEASON_PLAYER_H
#define ARENA_SEASON_PLAYER_H

#include "arena/play/runner.h"
#include "arena/season/result.h"

enum player_limits {
    PLAYER_ERROR_BYTES = SOURCE_ERROR_BYTES,
    PLAYER_LACK_BYTES = 512,
};

enum progress_limits {
    PROGRESS_LEADERS = 3,
    PROGRESS_LINE_BYTES = 512,
};

/* The best bots of the ladder while the season is played, best first. */
struct leaders {
    int count;
    char names[PROGRESS_LEADERS][STORE_NAME_BYTES_MAX + 1];
    double elo[PROGRESS_LEADERS];
};

/* The state of the season. */
struct season_standing {
    struct store_season_counts counts; /* of season_counts */
    int64_t budget_games;              /* the budget, rounded up to whole groups */
    struct leaders leaders;
    char paused[STORE_PAUSED_BYTES]; /* why it is paused; "": it is not */
};

/* The state of a run. Only the loop's thread may read the report. */
struct player_report {
    int64_t played_count;            /* games that were played and stored in this run */
    int64_t void_count;              /* games that were stopped, or ended too late to be stored */
    int64_t forfeit_count;           /* forfeits in the played games */
    int step;                        /* last result of season_next: enum season_step or -errno */
    bool was_stopped;                /* player_interrupt was called */
    struct season_standing standing; /* state of the season */
    bool failed;                     /* the arena failed; error says why */
    char error[PLAYER_ERROR_BYTES];  /* why the arena failed, or what the dealer waits for; or "" */
    /*
     * Why the run left out the games of a bot: this machine is too weak for it, or its package is
     * damaged; or "".
     */
    char lack[PLAYER_LACK_BYTES];
};

struct player_options {
    struct season *season; /* the player owns the season and its store until it calls ended_fn */
    const struct transport *transport; /* borrowed until ended_fn */
    const struct sandbox *sandbox; /* sandbox of the bots; NULL: bots run without one (in a test) */
    const char *program;           /* the arena's program; NULL: the running program */
    int job_count;                 /* maximum number of games that run at once */
    struct runner_jobs *jobs; /* shared with other runners on the loop; borrowed; may be NULL */
    bool is_practice;         /* this run gets only a tenth of `jobs` while other runners wait */
    bool pin;                 /* give each game a processor core of its own */
    struct table_rules rules;
    int64_t game_limit; /* number of games after which no new group begins; 0: no limit */

    /* Called every half second, so that the owner can show progress. May be NULL. */
    void (*tick_fn)(void *owner, const struct player_report *report);

    /* Called when the match at a table has its result, before that is stored. May be NULL. */
    void (*over_fn)(void *owner, const struct table *table);

    /*
     * Called when the machine has no room to start or unpack another bot, and when a bot's games
     * are left out because its package is damaged or gone. May be NULL.
     */
    void (*warn_fn)(void *owner, const char *words);

    /*
     * Called when somebody, or the arena itself, has paused the season (why: standing.paused), or
     * has resumed it: the run waits meanwhile. May be NULL.
     */
    void (*paused_fn)(void *owner, const struct player_report *report);

    /* Called when the run is over and all results are stored. May destroy the player. */
    void (*ended_fn)(void *owner, const struct player_report *report);
    void *owner;
};

struct player;

/*
 * Starts to play. The run ends when the budget is spent, the season is decided, game_limit is
 * reached, player_interrupt is called or the arena fails. Returns NULL with errno set; then
 * ended_fn is not called.
 */
struct player *player_start(struct ev_loop *loop, const struct player_options *options);

/* Calls game_fn for each table, as runner_tables_each; table is valid during the call. */
void player_games_each(const struct player *player,
                       void (*game_fn)(void *context, const struct table *table), void *context);

/* The first call lets no more games begin; the second call stops the running games. */
void player_interrupt(struct player *player);

/* Owned by the player. */
const struct player_report *player_report(const struct player *player);

/* Stops running games, after storing the results of games that have ended. Accepts NULL. */
void player_destroy(struct player *player);

/*
 * Plays a season in the foreground: blocks, and treats SIGINT and SIGTERM as player_interrupt. Does
 * not call the ended_fn of options. Returns 0, or -1 with the cause in report->error if the arena
 * failed.
 */
int player_run(const struct player_options *options, struct player_report *report);

struct progress {
    int64_t done_count; /* number of games played in the season */
    int64_t budget_games;
    int64_t run_count; /* number of games played in this run */
    int64_t run_us;    /* time since this run began */
    int64_t until_s;   /* time until a daemon closes the season; 0: not known */
    int64_t forfeit_count;
    bool is_paused; /* no game begins until somebody resumes the season */
    bool ending;    /* the user pressed Ctrl-C once: running games are played to their end */
    struct leaders leaders;
};

/*
 * Writes a line such as "12/100 games, 3.4 a second, 26 s left, 1 forfeit; ant 1714, bee 1663", cut
 * to at most `columns` bytes, never within a character.
 */
void progress_write(const struct progress *progress, size_t columns,
                    char line[static PROGRESS_LINE_BYTES]);

#endif
