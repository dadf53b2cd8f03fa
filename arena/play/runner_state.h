/*
 * Inside the runner: its state, and the jobs that runners on one loop share. runner.c and
 * runner_jobs.c are one thing in two files.
 */
#ifndef ARENA_PLAY_RUNNER_STATE_H
#define ARENA_PLAY_RUNNER_STATE_H

#include "arena/play/memory_watch.h"
#include "arena/play/runner.h"

enum runner_state {
    RUNNER_RUNNING = 0,
    RUNNER_DRAINING = 1, /* games under way are played to their end */
    RUNNER_STOPPING = 2, /* games under way are ended without a result */
};

/* A place for one game at a time. */
struct slot {
    struct runner *runner;
    struct table *table;
    struct runner_game game;
    int attempt_count; /* of this game, void ones */
    bool has_waiting;  /* the game waits until the machine has room for it */
    bool is_given_up;  /* its owner wants no result of it */
};

struct runner {
    enum runner_state state;
    bool was_stopped;
    struct runner_options options;
    struct runner *next; /* of those that share options.jobs */
    bool is_kept_out;    /* others had all the jobs when it wanted to begin a game */
    bool has_more;       /* there was a next game when it asked last */
    struct transport transport;
    struct ev_loop *loop; /* NULL before it starts */
    struct pace pace;
    ev_timer over;  /* tells the owner from a stack of its own */
    ev_timer freed; /* begins games, likewise: who shared the jobs is gone */
    void (*ended_fn)(void *ended_owner);
    void *ended_owner;
    struct memory_watch watch;
    struct alarm tick; /* not ev_timers: with none, a wait sets no timer in the kernel */
    bool failed;
    struct sandbox_failure failure;
    int playing_max;       /* games at a time: job_count, or fewer on a machine that is full */
    int done_count;        /* games since playing_max changed */
    int64_t full_us;       /* since when there is no room for a game that waits; 0: there is */
    int without_fds_count; /* tries since then that failed for want of descriptors alone */
    struct alarm room;     /* to try again */
    struct slot slots[];
};

/* Games under way. */
int runner_busy_count(const struct runner *runner);

/* True if it may play one more game at a time, and those that share its jobs as well. */
bool runner_has_job(const struct runner *runner);

/* No game is there for a free job: practice that waited for it may have it. */
void runner_jobs_free_practice(struct runner *runner);

/* Shares options.jobs from now on, if there are any. */
void runner_jobs_join(struct runner *runner);

/* Gives them to those that it shared them with. */
void runner_jobs_leave(struct runner *runner);

#endif
