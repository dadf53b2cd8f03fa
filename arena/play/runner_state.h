/*
 * Internal to the runner: its state, and the jobs that runners on one loop share. Shared by
 * runner.c and runner_jobs.c.
 */
#ifndef ARENA_PLAY_RUNNER_STATE_H
#define ARENA_PLAY_RUNNER_STATE_H

#include "arena/play/memory_watch.h"
#include "arena/play/runner.h"

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
