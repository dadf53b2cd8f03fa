/* SPDX-License-Identifier: MIT */
/*
 * Plays many games, several at a time, on the caller's event loop, which may have other users. Asks
 * its owner for the next game and reports each game that ends; plays a void game again, up to
 * RUNNER_ATTEMPTS times. If the machine has no room for another bot, the game waits, and the runner
 * plays fewer games at a time. The owner decides about order, seeds and results, and handles
 * signals.
 */
#ifndef ARENA_PLAY_RUNNER_H
#define ARENA_PLAY_RUNNER_H

#include "arena/play/table.h"

enum runner_limits {
    RUNNER_ATTEMPTS = 3, /* attempts to play a game, after which a void game fails the run */
    RUNNER_JOBS_MAX = 512,
    RUNNER_TICK_MS = 500,    /* time between calls of tick_fn */
    RUNNER_ROOM_MS = 250,    /* time between attempts to start a game that lacked room */
    RUNNER_FULL_MS = 300000, /* time without room for a single game, after which the run fails */
    RUNNER_MORE_GAMES = 32, /* number of games after which a runner that plays fewer games at a time
                               plays one more */
    /* Practice games get one of this many jobs while rated games wait for jobs. */
    RUNNER_PRACTICE_SHARE = 10,
    RUNNER_WATCH_MS = 50, /* time between rounds of memory checks, where no cgroup limits memory */
    RUNNER_WATCH_US_MAX = 250, /* longest step of a memory check, and pause after a step */
    RUNNER_WORDS_BYTES = 256,  /* room for the sentence that warn_fn receives */
};

/* A game to play. Borrows the sources. */
struct runner_game {
    uint64_t number; /* number for the owner's own use */
    struct match_terms terms;
    const struct source *sources[GAME_PLAYERS_MAX]; /* bots by seat */
    const struct table_trial *trial;                /* NULL: a match */
    /* The rules of this game, while it runs; NULL: those of the runner's options. */
    const struct table_rules *rules;
    bool pin; /* as in struct runner_options, for this game */
};

/*
 * Jobs (places for games that run at the same time) that several runners on one loop share. Each
 * runner also has its own limit, job_count.
 */
struct runner_jobs {
    int count;
    struct runner *first; /* list of the runners that share the jobs */
    int rated_count;      /* number of rated games since the last practice game */
};

struct runner_options {
    int job_count;            /* maximum number of games at a time, 1..RUNNER_JOBS_MAX */
    struct runner_jobs *jobs; /* jobs that this runner shares with others, borrowed; NULL: none */
    bool is_practice; /* the runner plays practice games: it gets a tenth of the shared jobs while
                         rated runners wait */
    bool pin; /* give the bots of each game a core of their own, if the machine has enough cores */
    /*
     * Play a game once more in which a bot slept through its start limit, before the bot forfeits:
     * a machine whose disk is busy holds up several bots at their start for seconds, which no clock
     * of the kernel tells from sleep.
     */
    bool repeats_starts;
    struct table_rules rules;
    int64_t (*now_fn)(void); /* returns the time; NULL: the monotonic clock */
    void *owner;

    /*
     * Fills *game with the next game for a slot, one of job_count places for games. Returns false
     * if there are no more games, or none for this slot now; after runner_wake, the runner calls
     * next_fn again.
     */
    bool (*next_fn)(void *owner, int slot, struct runner_game *game);

    /*
     * Called when no game is running. Returns true if the owner waits for something and will call
     * runner_wake: the run then goes on. begins: the runner may still begin games. May be NULL.
     */
    bool (*waits_fn)(void *owner, bool begins);

    /* Called when a game has a result; the table's state is ENDING. Games end in any order. */
    void (*done_fn)(void *owner, const struct runner_game *game, const struct table *table);

    /*
     * Called when a game has started, and after each answer. Must not change anything. May be NULL.
     */
    void (*step_fn)(void *owner, const struct runner_game *game, const struct table *table);

    /*
     * Called when a game is void and is played again, and when the machine has no room for another
     * bot, so that the runner plays fewer games at a time. words is a sentence for the organizer.
     * May be NULL.
     */
    void (*warn_fn)(void *owner, const char *words);

    /* Called every RUNNER_TICK_MS during the run, for example to show progress. May be NULL. */
    void (*tick_fn)(void *owner);
};

/* True if a runner of rated games has games to begin, or lacks a job for them. */
bool runner_jobs_are_wanted(const struct runner_jobs *jobs);

/*
 * Sets the number of jobs. With 0, no game begins until the next call; games that run go on. Wakes
 * the runners that lacked a job.
 */
void runner_jobs_set(struct runner_jobs *jobs, int count);

/*
 * True if this errno means that the machine is out of processes, memory, descriptors or namespaces,
 * which other programs may release soon.
 */
bool runner_is_exhaustion(int error);

/*
 * Copies options and transport; borrows what their pointers point to. Returns NULL with errno set.
 */
struct runner *runner_create(const struct runner_options *options,
                             const struct transport *transport);

/*
 * Frees the runner. Ends running games without a result, and does not call ended_fn. Of the
 * runner's callbacks only ended_fn may call runner_destroy. Accepts NULL.
 */
void runner_destroy(struct runner *runner);

/*
 * Starts the run on the loop. The run ends when next_fn has no game, no game is running and
 * waits_fn returns false. Then, once every bot is gone, the loop calls ended_fn, which may destroy
 * the runner. Returns 0; or -errno, and then nothing runs.
 */
int runner_start(struct runner *runner, struct ev_loop *loop, void (*ended_fn)(void *ended_owner),
                 void *ended_owner);

/*
 * Plays all games of a runner. Returns 0, or -1 if the arena failed, with the cause in *failure. At
 * the first SIGINT or SIGTERM no new game begins and running games go on to their end; at the
 * second, running games end without a result. runner_was_stopped tells whether a signal came. If a
 * stop request is already pending (foreground.h), no game begins.
 */
int runner_play(struct runner *runner, struct sandbox_failure *failure);

/*
 * True if the run ended early because a game was void too often or memory ran out. Sets *failure to
 * the cause.
 */
bool runner_failed(const struct runner *runner, struct sandbox_failure *failure);

/*
 * Makes the runner ask its owner (next_fn) again for games, or end the run if there is nothing more
 * to do. Does nothing after the run's end.
 */
void runner_wake(struct runner *runner);

/*
 * Calls table_fn for each table that is PLAYING, or ENDING and not yet told to done_fn, in order of
 * its slot.
 */
void runner_tables_each(const struct runner *runner,
                        void (*table_fn)(void *context, const struct table *table), void *context);

/*
 * Ends the game of a slot at once, without a result; the game is not played again. Returns false if
 * the game already has a result, or if the slot has no game.
 */
bool runner_give_up(struct runner *runner, int slot);

/* Lets no new game begin from now on. */
void runner_drain(struct runner *runner);

/* Stops the run: no new game begins. A second call ends running games without a result. */
void runner_interrupt(struct runner *runner);

/* True after a call of runner_interrupt. */
bool runner_was_stopped(const struct runner *runner);

#endif
