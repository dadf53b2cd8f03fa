/*
 * Plays many games, some at a time, on one event loop and one thread. Asks its owner
 * for the next game and hands each back when it has ended; a void one is played again, up
 * to RUNNER_ATTEMPTS times. Decides nothing about order, seeds or results.
 */
#ifndef ARENA_PLAY_RUNNER_H
#define ARENA_PLAY_RUNNER_H

#include "arena/play/table.h"

enum runner_limits {
    RUNNER_ATTEMPTS = 3, /* a game that is void this often is a failure of the arena */
    RUNNER_JOBS_MAX = 512,
    RUNNER_TICK_MS = 500, /* between calls of tick_fn */
    RUNNER_WATCH_MS = 50, /* between looks at bots' memory, where no cgroup counts it */
};

/* One game to be played. Sources are borrowed. */
struct runner_game {
    uint64_t number; /* the owner's own */
    struct match_terms terms;
    const struct source *sources[GAME_PLAYERS_MAX]; /* by seat */
    bool last; /* processes end with it; else the slot's next game is of the same sources
                  in the same seats, in the same processes */
};

struct runner;

struct runner_options {
    int job_count; /* games at a time, 1..RUNNER_JOBS_MAX */
    bool pin;      /* each slot keeps a core of its own, as far as they go */
    struct table_rules rules;
    void *owner;

    /* Fills in the next game of a slot (0..job_count-1). False: there is none any more, or
       none for this slot now (runner_wake asks again). */
    bool (*next_fn)(void *owner, int slot, struct runner_game *game);

    /* A game has a result: table is ENDING. Games end in any order. */
    void (*done_fn)(void *owner, const struct runner_game *game, const struct table *table);

    /* Every RUNNER_TICK_MS while it runs, for a progress line. May be NULL. */
    void (*tick_fn)(void *owner);
};

/* Copies the options; borrows the sandbox. NULL with errno set. */
struct runner *runner_create(const struct runner_options *options, struct sandbox *sandbox);

/* Takes NULL. */
void runner_destroy(struct runner *runner);

/*
 * Plays until there is no next game and none is under way. Blocks. Returns 0, or -1 when a game
 * was void too often: *failure says why, and every other game has been ended. On SIGINT or
 * SIGTERM games under way are played to their end and no new one begins; on a second one they
 * are ended without a result. runner_was_stopped then tells. One that was held back before
 * (stop.h) begins no game at all.
 */
int runner_run(struct runner *runner, struct sandbox_failure *failure);

/* Asks next_fn again for slots that stand empty. From within done_fn. */
void runner_wake(struct runner *runner);

/* True if a signal ended the run early. */
bool runner_was_stopped(const struct runner *runner);

/* From done_fn or tick_fn: begin no new game. */
void runner_drain(struct runner *runner);

#endif
