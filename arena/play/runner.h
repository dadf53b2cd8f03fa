/*
 * Plays many games, some at a time, on an event loop that is passed in, beside whatever else runs
 * there. Asks its owner for the next game and hands each back when it has ended; a void one is
 * played again, up to RUNNER_ATTEMPTS times. Where the machine has no room for another bot, fewer
 * games are played at a time, and the game waits for its turn. Decides nothing about order, seeds
 * or results, and knows no signals.
 */
#ifndef ARENA_PLAY_RUNNER_H
#define ARENA_PLAY_RUNNER_H

#include "arena/play/table.h"

enum runner_limits {
    RUNNER_ATTEMPTS = 3, /* a game that is void this often is a failure of the arena */
    RUNNER_JOBS_MAX = 512,
    RUNNER_TICK_MS = 500,       /* between calls of tick_fn */
    RUNNER_ROOM_MS = 250,       /* between tries to start a game that the machine had no room for */
    RUNNER_FULL_MS = 300000,    /* without room for a single game, the run fails */
    RUNNER_MORE_GAMES = 32,     /* that end before one more is tried at a time again */
    RUNNER_PRACTICE_SHARE = 10, /* of shared jobs, practice has one in so many while others wait */
    RUNNER_WATCH_MS = 50,       /* between looks at bots' memory, where no cgroup counts it */
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

/* Games at a time of several runners on one loop, beside the job_count of each. */
struct runner_jobs {
    int count;
    struct runner *first; /* of those that share them; zero before the first starts */
    int rated_count;      /* games begun since practice began one */
};

struct runner_options {
    int job_count;            /* games at a time, 1..RUNNER_JOBS_MAX */
    struct runner_jobs *jobs; /* shared with others, each taking its turn; NULL: not. Borrowed */
    bool is_practice;         /* with jobs: has a tenth of them while others wait */
    bool pin;                 /* each slot keeps a core of its own, while there are enough */
    struct table_rules rules;
    int64_t (*now_fn)(void); /* tells the time; NULL: the monotonic clock */
    void *owner;

    /* Fills in the next game of a slot (0..job_count-1). False: there is none any more, or
       none for this slot now (runner_wake asks again). */
    bool (*next_fn)(void *owner, int slot, struct runner_game *game);

    /* No game is under way. True: the run goes on all the same, since the owner waits for
       something and will call runner_wake. begins: a new game may begin. NULL: never. */
    bool (*waits_fn)(void *owner, bool begins);

    /* A game has a result: table is ENDING. Games end in any order. */
    void (*done_fn)(void *owner, const struct runner_game *game, const struct table *table);

    /* A game went on: after its start and after each answer. Changes nothing. NULL: never. */
    void (*step_fn)(void *owner, const struct runner_game *game, const struct table *table);

    /* The machine has no room for another bot: from here on job_count games are played at a time.
       May be NULL. */
    void (*fewer_fn)(int job_count, const struct sandbox_failure *failure);

    /* Every RUNNER_TICK_MS while it runs, for a progress line. May be NULL. */
    void (*tick_fn)(void *owner);
};

/* Copies both; borrows what the transport stands on. NULL with errno set. */
struct runner *runner_create(const struct runner_options *options,
                             const struct transport *transport);

/* Ends what is under way without a result; ended_fn is not called any more. Of the runner's own
   calls it may be used in ended_fn only. Takes NULL. */
void runner_destroy(struct runner *runner);

/*
 * Plays on the loop until there is no next game, none is under way and the owner waits for
 * nothing; ended_fn is then called from the loop, with every bot gone, and may destroy the runner.
 * Returns 0, or -errno: then nothing runs.
 */
int runner_start(struct runner *runner, struct ev_loop *loop, void (*ended_fn)(void *ended_owner),
                 void *ended_owner);

/* True if the run ended early: a game was void too often, or memory ran out. Fills in failure. */
bool runner_failed(const struct runner *runner, struct sandbox_failure *failure);

/* Asks next_fn again for slots that stand empty, or sees that the run is over. After its end it
   does nothing. */
void runner_wake(struct runner *runner);

/* Calls table_fn for each game under way, by slot. */
void runner_tables_each(const struct runner *runner,
                        void (*table_fn)(void *context, const struct table *table), void *context);

/* Ends the game of a slot at once: no result, not played again. False if it has one by now, or if
   there is none. */
bool runner_give_up(struct runner *runner, int slot);

/* Begins no new game. */
void runner_drain(struct runner *runner);

/*
 * Somebody wants the run to end: no new game begins. The second time games under way end without
 * a result.
 */
void runner_interrupt(struct runner *runner);

/* True once that was called. */
bool runner_was_stopped(const struct runner *runner);

#endif
