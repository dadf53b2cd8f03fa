/*
 * Plays many games, several at a time, on the caller's event loop, which may have other users. Asks
 * its owner for the next game and reports each game that ends; plays a void game again, up to
 * RUNNER_ATTEMPTS times. If the machine has no room for another bot, plays fewer games at a time,
 * and the game waits. Decides nothing about order, seeds or results, and handles no signals.
 */
#ifndef ARENA_PLAY_RUNNER_H
#define ARENA_PLAY_RUNNER_H

#include "arena/play/alarm.h"
#include "arena/play/table.h"

enum runner_limits {
    RUNNER_ATTEMPTS = 3, /* a game that is void this often means that the arena failed */
    RUNNER_JOBS_MAX = 512,
    RUNNER_TICK_MS = 500,       /* between calls of tick_fn */
    RUNNER_ROOM_MS = 250,       /* between attempts to start a game for which there was no room */
    RUNNER_FULL_MS = 300000,    /* without room for a single game for so long, the run fails */
    RUNNER_MORE_GAMES = 32,     /* games to end before one more game at a time is tried again */
    RUNNER_PRACTICE_SHARE = 10, /* practice gets 1 of this many shared jobs while others wait */
    RUNNER_WATCH_MS = 50,       /* between checks of bots' memory, where no cgroup counts it */
    RUNNER_WORDS_BYTES = 256,   /* a sentence for crowded_fn */
};

/* One game to be played. Borrows the sources. */
struct runner_game {
    uint64_t number; /* for the owner's use */
    struct match_terms terms;
    const struct source *sources[GAME_PLAYERS_MAX]; /* by seat */
    bool last; /* end the processes with this game; else the slot's next game has the same sources
                  in the same seats and uses the same processes */
};

/* Jobs shared by several runners on one loop, in addition to the job_count of each. */
struct runner_jobs {
    int count;
    struct runner *first; /* list of the runners that share them; zero before the first starts */
    int rated_count;      /* games begun since practice last began one */
};

struct runner_options {
    int job_count;            /* games at a time, 1..RUNNER_JOBS_MAX */
    struct runner_jobs *jobs; /* shared in turn with other runners; NULL: not shared. Borrowed */
    bool is_practice;         /* with jobs: gets a tenth of them while others wait */
    bool pin;                 /* each slot keeps a core of its own while there are enough cores */
    struct table_rules rules;
    int64_t (*now_fn)(void); /* returns the time; NULL: the monotonic clock */
    void *owner;

    /*
     * Fills in the next game of a slot (0..job_count-1). Returns false if there are no more games,
     * or none for this slot now (runner_wake asks again).
     */
    bool (*next_fn)(void *owner, int slot, struct runner_game *game);

    /*
     * No game is running. Returns true to continue the run, because the owner waits for something
     * and will call runner_wake. begins: a new game may begin. NULL: never.
     */
    bool (*waits_fn)(void *owner, bool begins);

    /* A game has a result: table is ENDING. Games end in any order. */
    void (*done_fn)(void *owner, const struct runner_game *game, const struct table *table);

    /* A game has started, or an answer was played. Must not change anything. May be NULL. */
    void (*step_fn)(void *owner, const struct runner_game *game, const struct table *table);

    /*
     * The machine has no room for another bot: from now on fewer games are played at a time. words
     * is a sentence for the operator. May be NULL.
     */
    void (*crowded_fn)(void *owner, const char *words);

    /* Called every RUNNER_TICK_MS during the run, for a progress line. May be NULL. */
    void (*tick_fn)(void *owner);
};

/* True if errno value error says that the machine is out of processes, memory, descriptors or
   namespaces: they may come back, so the caller waits. */
bool runner_is_exhaustion(int error);

/* Copies options and transport; borrows what they point to. Returns NULL with errno set. */
struct runner *runner_create(const struct runner_options *options,
                             const struct transport *transport);

/*
 * Ends running games without a result and does not call ended_fn. Of the runner's callbacks only
 * ended_fn may call this. Accepts NULL.
 */
void runner_destroy(struct runner *runner);

/*
 * Plays on the loop until there is no next game, none is running and the owner waits for nothing.
 * Then calls ended_fn from the loop, once every bot is gone; ended_fn may destroy the runner.
 * Returns 0, or -errno, and then nothing runs.
 */
int runner_start(struct runner *runner, struct ev_loop *loop, void (*ended_fn)(void *ended_owner),
                 void *ended_owner);

/*
 * True if the run ended early because a game was void too often or memory ran out. Fills *failure.
 */
bool runner_failed(const struct runner *runner, struct sandbox_failure *failure);

/* Asks next_fn again for empty slots, or finds that the run is over. Does nothing after its end. */
void runner_wake(struct runner *runner);

/* Calls table_fn for each running game, in order of slots. */
void runner_tables_each(const struct runner *runner,
                        void (*table_fn)(void *context, const struct table *table), void *context);

/*
 * Ends a slot's game at once, without a result; it is not played again. Returns false if the game
 * already has a result, or the slot has no game.
 */
bool runner_give_up(struct runner *runner, int slot);

/* Begins no new games from now on. */
void runner_drain(struct runner *runner);

/* Stops the run: no new game begins. The second call ends running games without a result. */
void runner_interrupt(struct runner *runner);

/* True once runner_interrupt was called. */
bool runner_was_stopped(const struct runner *runner);

/* ---- what only runner.c and its tests use ---- */

/*
 * Checks the memory of all bots at a number of tables every RUNNER_WATCH_MS, where no cgroup counts
 * it. Works in steps, so that no answer waits while many bots are measured.
 */
enum {
    MEMORY_WATCH_US_MAX = 250, /* time limit of a step; reading the last table may exceed it, and
                                  delays the next step as much */
};

struct memory_watch {
    struct alarm alarm;
    int count;                                          /* tables */
    int looked_count;                                   /* tables checked in this round */
    int64_t begun_us;                                   /* start of this round */
    struct table *(*table_fn)(void *owner, int number); /* NULL: no such table yet */
    void *owner;
};

/* Returns 0 or -errno. */
int memory_watch_start(struct memory_watch *watch, struct ev_loop *loop, int count,
                       struct table *(*table_fn)(void *owner, int number), void *owner);

/* Accepts a zeroed watch. */
void memory_watch_stop(struct memory_watch *watch, struct ev_loop *loop);

enum runner_state {
    RUNNER_RUNNING = 0,
    RUNNER_DRAINING = 1, /* running games are played to their end */
    RUNNER_STOPPING = 2, /* running games end without a result */
};

/* A place for one game at a time. */
struct slot {
    struct runner *runner;
    struct table *table;
    struct runner_game game;
    int attempt_count; /* attempts at this game that were void */
    bool has_waiting;  /* the game waits for room on the machine */
    bool is_given_up;  /* its owner no longer wants its result */
};

struct runner {
    enum runner_state state;
    bool was_stopped;
    struct runner_options options;
    struct runner *next; /* next of those that share options.jobs */
    bool is_kept_out;    /* others had all jobs when it last wanted one */
    bool has_more;       /* next_fn last returned true */
    struct transport transport;
    struct ev_loop *loop; /* NULL before it starts */
    struct pace pace;
    ev_timer over;  /* calls the owner from the loop, so that the owner may destroy the runner */
    ev_timer freed; /* begins games from the loop, for jobs that another runner released */
    void (*ended_fn)(void *ended_owner);
    void *ended_owner;
    struct memory_watch watch;
    struct alarm tick; /* an ev_timer would make every wait set a kernel timer */
    bool failed;
    struct sandbox_failure failure;
    int playing_max;       /* games at a time: job_count, or fewer if the machine is full */
    int done_count;        /* games ended since playing_max changed */
    int64_t full_us;       /* since when a game waits for room; 0: none does */
    int without_fds_count; /* attempts since then that failed only for lack of descriptors */
    struct alarm room;     /* time of the next attempt to start a waiting game */
    struct slot slots[];
};

/* Returns how many games are running. */
int runner_busy_count(const struct runner *runner);

/* True if the runner, and those that share its jobs, may play one more game at a time. */
bool runner_has_job(const struct runner *runner);

/* Offers a free job, for which no rated game is waiting, to practice. */
void runner_jobs_free_practice(struct runner *runner);

/* Starts sharing options.jobs, if set. */
void runner_jobs_join(struct runner *runner);

/* Stops sharing options.jobs and leaves them to the other runners. */
void runner_jobs_leave(struct runner *runner);

#endif
