/*
 * A thread that owns a season, and its store, while it is played. It chooses what is played next
 * and stores what was played, so that the loop on which bots think waits for neither: planning a
 * large batch takes seconds, a slow disk as long as it likes. The loop asks, and is called back.
 *
 * Results are stored in the order in which they come, each in a transaction of its own. A game is
 * told as stored once that has been committed; a kill loses those that were not, and they are
 * played again.
 */
#ifndef ARENA_SEASON_WORKER_H
#define ARENA_SEASON_WORKER_H

#include <ev.h>

#include "arena/season/leaders.h"
#include "arena/season/result.h"
#include "arena/season/season.h"

enum worker_limits {
    WORKER_FAILURE_BYTES = 4096 + 256,
    WORKER_LOOK_MAX = 1024, /* games that one look asks about */
};

/* A game to be played, and who sits there. */
struct worker_game {
    struct season_game game;
    struct store_bot bots[GAME_PLAYERS_MAX]; /* by seat */
};

/* What worker_look found. */
struct worker_view {
    bool changed;                         /* worker_ask may say otherwise than before */
    bool is_open;                         /* games may begin */
    const struct season_game *void_games; /* of those that it was asked about; borrowed */
    size_t void_count;
};

/* How the season stands, as of the last call back. */
struct worker_standing {
    int64_t stored_count; /* games in the store */
    int64_t budget_games; /* in whole groups */
    struct leaders leaders;
};

struct worker;

struct worker_options {
    struct season *season; /* nobody else touches it or its store until worker_destroy */
    bool finds_leaders;    /* after each batch */
    void *owner;

    /* The answer to worker_ask: enum season_step, and for SEASON_GAME the game, borrowed; or
       -errno as season_next, with a line. */
    void (*told_fn)(void *owner, int step, const struct worker_game *game, const char *failure);

    /* A result is stored (error 0), or is not and never will be in this run (-errno with a line);
       it is borrowed. */
    void (*stored_fn)(void *owner, const struct game_result *result, int error,
                      const char *failure);

    /* The answer to worker_look, borrowed; NULL with a line when the store cannot be read. */
    void (*looked_fn)(void *owner, const struct worker_view *view, const char *failure);
};

/* Starts the thread; calls come from the loop. NULL with errno set. */
struct worker *worker_create(struct ev_loop *loop, const struct worker_options *options);

/*
 * Finishes what is under way, results included, without calls; ended_fn is called from the loop
 * when that is done, and may destroy the worker.
 */
void worker_end(struct worker *worker, void (*ended_fn)(void *owner));

/* The same at once, blocking until it is done. Takes NULL. */
void worker_destroy(struct worker *worker);

/* Asks for the next game. One question at a time. 0 or -ENOMEM. */
int worker_ask(struct worker *worker);

/*
 * Asks whether anything was changed from outside, and which of these games, under way, are given
 * up for it: season_look. Copies them. One question at a time. 0 or -ENOMEM.
 */
int worker_look(struct worker *worker, const struct season_game *games, size_t count);

/* A game that was told is not going to be played in this run. 0 or -ENOMEM. */
int worker_return(struct worker *worker, const struct season_game *game);

/* Has a result stored; takes it over, whatever comes of it. 0 or -ENOMEM. */
int worker_store(struct worker *worker, struct game_result *result);

/* Of the loop's own thread. */
const struct worker_standing *worker_standing(const struct worker *worker);

#endif
